import { modulesAfter } from '../modules/upgrade/modules-of.js';
import { completedUpgrades } from '../modules/upgrade/plan-store.js';
import type { AppVersion } from '../sdk/app-version.js';
import { BlockScope } from '../sdk/block-scope.js';
import { EMPTY } from '../bytes/bytes.js';
import type { ChainConfig } from '../sdk/chain-config.js';
import type { Context } from '../sdk/context.js';
import { GasMeter } from '../sdk/gas.js';
import { MessageRouter } from '../sdk/message-router.js';
import type { QueryContext } from '../application.js';
import type { Crypto } from '../ports/crypto.js';
import { CacheStore } from '../state/overlay.js';
import type { StateReader } from '../state/state.js';

/**
 * `app_state` of a genesis that starts a chain from this state: one section for each module in order of names, a JSON
 * value.
 */
export function exportGenesis(
  state: StateReader,
  options: {
    readonly version: AppVersion;
    readonly chain: ChainConfig;
    readonly crypto: Crypto;
    readonly at: QueryContext;
  },
): Readonly<Record<string, unknown>> {
  const { version, chain, crypto, at } = options;
  const context: Context = {
    ...at,
    store: new CacheStore(state),
    gas: new GasMeter(undefined),
    events: [],
    mode: 'query',
    version,
    chain,
    crypto,
    router: new MessageRouter(version),
    block: BlockScope.none(),
    evm: undefined,
    txBytes: EMPTY,
  };
  return Object.fromEntries(
    modulesAfter(version, Array.from(completedUpgrades(state), ({ name }) => name).toReversed())
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((module) => [module.name, module.exportGenesis(context)]),
  );
}
