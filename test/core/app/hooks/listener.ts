/**
 * A module that listens: it counts the gas that each sender of Ethereum transactions used, in a store of its own. And
 * listeners that refuse in the middle of their work.
 */
import { be64, readBe64 } from '../../../../src/core/bytes/big-endian.js';
import { chronicle, ofModules } from '../../../../src/core/app/presets.js';
import { abciEvent } from '../../../../src/core/sdk/module/abci-event.js';
import type { AppVersion } from '../../../../src/core/sdk/module/app-version.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import type {
  EthereumHooks,
  ExecutedTransaction,
  GovHooks,
  StakingHooks,
} from '../../../../src/core/sdk/module/hooks.js';
import type { Module } from '../../../../src/core/sdk/module/module.js';
import { plainError } from '../../../../src/core/sdk/module/sdk-error.js';
import type { StateReader } from '../../../../src/core/state/state.js';

const STORE = 'usage';
const HALF = Uint8Array.of(1);

const usageModule: Module = {
  name: 'usage',
  store: STORE,
  consensusVersion: 1n,
  initGenesis: () => undefined,
  exportGenesis: () => ({}),
  messages: [],
  queries: [],
};

/** Gas that the Ethereum transactions of an account used. */
export const usedBy = (state: StateReader, sender: Uint8Array): bigint =>
  readBe64(state.get(STORE, sender) ?? be64(0n));

/** Counts, and keeps what it was told. */
export function usageHooks(): EthereumHooks & { readonly told: ExecutedTransaction[] } {
  const told: ExecutedTransaction[] = [];
  return {
    name: 'usage',
    told,
    postTxProcessing({ store, events }, executed) {
      const { sender, gasUsed } = executed;
      told.push(executed);
      store.set(STORE, sender, be64(usedBy(store, sender) + gasUsed));
      events.push(abciEvent('usage', [['gas', gasUsed.toString()]]));
    },
  };
}

const withModule: AppVersion = { ...chronicle, ...ofModules([...chronicle.modules, usageModule]) };

/** The preset of this project with the module and these listeners. */
export const withListeners = (...ethereum: readonly EthereumHooks[]): AppVersion => ({
  ...withModule,
  hooks: { ...chronicle.hooks, ethereum },
});

/** The preset with the module and a listener of staking behind the others, or one of gov. */
export const withHooks = ({ staking, gov }: { staking?: StakingHooks; gov?: GovHooks }): AppVersion => ({
  ...withModule,
  hooks: {
    ...chronicle.hooks,
    staking: [...chronicle.hooks.staking, ...(staking === undefined ? [] : [staking])],
    gov: gov === undefined ? [] : [gov],
  },
});

/** Writes and emits, then refuses. */
export function refuseHalfway({ store, events }: Context): never {
  store.set(STORE, HALF, Uint8Array.of(1));
  events.push(abciEvent('half', []));
  throw plainError('the listener refuses');
}

/** True when something of that is left in the state. */
export const isHalfDone = (state: StateReader): boolean => state.get(STORE, HALF) !== undefined;
