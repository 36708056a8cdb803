/**
 * Headers of recent heights with their validators, for light clients (cosmos-sdk v0.53
 * `x/staking/keeper/historical_info.go`).
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { toTimestamp } from '../../comet/time.js';
import { HistoricalInfoSchema, type HistoricalInfo } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import { HeaderSchema } from '../../proto/tendermint/types/types_pb.js';
import type { Context } from '../../sdk/context.js';
import { historicalInfoKey, STORE } from './keys.js';
import { getParams } from './params.js';
import { compare } from '../../bytes/bytes.js';
import { consensusAddressOf, consensusPower, validatorMessage, type Validator } from './validator.js';
import { lastValidators } from './validators.js';

export function getHistoricalInfo({ store }: Pick<Context, 'store'>, height: bigint): HistoricalInfo | undefined {
  const value = store.get(STORE, historicalInfoKey(height));
  return value === undefined ? undefined : fromBinary(HistoricalInfoSchema, value);
}

/** Writes the running height and deletes those that the parameters no longer keep, from the newest of them on. */
export function trackHistoricalInfo(context: Context): void {
  const { store, height, block, chainId, time } = context;
  const entries = BigInt(getParams(context).historicalEntries);
  for (let old = height - entries; old >= 0n; old -= 1n) {
    const key = historicalInfoKey(old);
    if (store.get(STORE, key) === undefined) break;
    store.delete(STORE, key);
  }
  if (entries === 0n) return;
  const header = create(HeaderSchema, {
    version: {},
    chainId,
    height,
    time: toTimestamp(time),
    lastBlockId: { partSetHeader: {} },
    nextValidatorsHash: block.facts.nextValidatorsHash,
    appHash: block.facts.previousAppHash,
    proposerAddress: block.proposer,
  });
  const valset = inConsensusOrder(context, lastValidators(context)).map((one) => validatorMessage(context, one));
  const info = create(HistoricalInfoSchema, { header, valset });
  store.set(STORE, historicalInfoKey(height), toBinary(HistoricalInfoSchema, info));
}

/** The greatest power first; of equal powers, the lesser consensus address. */
function inConsensusOrder({ crypto }: Context, validators: readonly Validator[]): readonly Validator[] {
  const placed = validators.map((validator) => ({
    validator,
    power: consensusPower(validator),
    address: consensusAddressOf(crypto, validator),
  }));
  placed.sort((a, b) => (a.power === b.power ? compare(a.address, b.address) : a.power > b.power ? -1 : 1));
  return placed.map(({ validator }) => validator);
}
