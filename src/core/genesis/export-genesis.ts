import { consensusParamsToJson } from '../comet/json/params-json.js';
import { publicKeyToJson } from '../comet/json/validator-json.js';
import { formatTime } from '../comet/time.js';
import { upperHex } from '../bytes/hex.js';
import { invariant } from '../errors.js';
import { getConsensusParams } from '../modules/consensus/module.js';
import { cometKey, consensusAddress, consensusKeyOf } from '../modules/staking/addresses.js';
import { lastPowers } from '../modules/staking/last-powers.js';
import { requireValidator } from '../modules/staking/validators.js';
import { modulesAfter, versionOver } from '../modules/upgrade/modules-of.js';
import { completedUpgrades } from '../modules/upgrade/plan-store.js';
import type { Context } from '../sdk/module/context.js';
import { readingContext, type ReadingOptions } from '../sdk/module/reading-context.js';
import { denomsOutsideSupply } from '../sdk/module/development-chain.js';
import { CacheStore } from '../state/overlay.js';
import type { StateReader } from '../state/state.js';
import { asObject } from '../text/json-object.js';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reason why this state cannot be exported; undefined when it can. A genesis supply is the sum of its balances and
 * has at most 256 bits (cosmos-sdk v0.53 `x/bank/types/genesis.go`).
 */
export function exportRefusal(state: StateReader, { version }: Pick<ReadingOptions, 'version'>): string | undefined {
  const denoms = denomsOutsideSupply({ store: new CacheStore(state), version });
  return denoms.length === 0
    ? undefined
    : `accounts hold ${denoms.join(', ')} outside of the supply, which no genesis can say: set balances above 2^192 lower`;
}

/**
 * Exports the genesis document of a chain that continues from this state at the next height: the original document
 * with current time, sections, validators and consensus parameters (cosmos-sdk v0.53 `server/export.go`).
 */
export function exportDocument(
  state: StateReader,
  options: ReadingOptions & { readonly founding: JsonObject },
): object {
  const { founding, at } = options;
  const context = readingContext(state, options);
  const params = getConsensusParams(context);
  invariant(params !== undefined, 'a chain that has begun keeps its consensus parameters');
  const json = consensusParamsToJson(params);
  const validators = bondedValidators(context);
  const bonded = validators.length === 0 ? {} : { validators };
  return {
    ...founding,
    genesis_time: formatTime(at.time),
    initial_height: (at.height + 1n).toString(),
    app_state: exportGenesis(state, options),
    ...(founding['consensus'] === undefined
      ? { consensus_params: json, ...bonded }
      : { consensus: { ...asObject(founding['consensus']), params: json, ...bonded } }),
  };
}

/** Exports `app_state` as a JSON value, with one section per module in alphabetical order. */
export function exportGenesis(state: StateReader, options: ReadingOptions): JsonObject {
  const version = versionOver(options.version, state);
  const context = readingContext(state, { ...options, version });
  return Object.fromEntries(
    modulesAfter(version, Array.from(completedUpgrades(state), ({ name }) => name).toReversed())
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((module) => [module.name, module.exportGenesis(context)]),
  );
}

/**
 * Validators of the last block (cosmos-sdk v0.53 `x/staking/genesis.go` WriteValidators); empty on a chain without
 * staking validators.
 */
function bondedValidators(context: Context): readonly object[] {
  return Array.from(lastPowers(context), ({ operator, power }) => {
    const { consensusKey, description } = requireValidator(context, operator);
    const key = consensusKeyOf(consensusKey);
    invariant(key !== undefined, 'a validator without a consensus key');
    return {
      address: upperHex(consensusAddress(context.crypto, key)),
      pub_key: publicKeyToJson(cometKey(key)),
      power: power.toString(),
      name: description.moniker,
    };
  });
}
