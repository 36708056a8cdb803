/**
 * Headers of recent heights with their validators, for IBC light clients (cosmos-sdk v0.53
 * `x/staking/keeper/historical_info.go`).
 */
import { fromBinary } from '@bufbuild/protobuf';
import { compare, EMPTY } from '../../bytes/bytes.js';
import { MessageWriter } from '../../bytes/message-writer.js';
import { headerBytes } from '../../comet/block-bytes.js';
import { toTimestamp } from '../../comet/time.js';
import { HistoricalInfoSchema, type HistoricalInfo } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { historicalInfoKey, STORE } from './keys.js';
import { lastPowers } from './last-powers.js';
import { getParams } from './params.js';
import { consensusAddressOf, consensusPower } from './validator.js';
import { requireStored } from './validators.js';

/** Header and validators of a height; undefined when they are not kept. */
export function getHistoricalInfo({ store }: Pick<Context, 'store'>, height: bigint): HistoricalInfo | undefined {
  const value = store.get(STORE, historicalInfoKey(height));
  return value === undefined ? undefined : fromBinary(HistoricalInfoSchema, value);
}

/** Stores the current height and deletes heights beyond the parameter, newest of them first. */
export function trackHistoricalInfo(context: Context): void {
  const { store, height, block, chainId, time } = context;
  const entries = BigInt(getParams(context).historicalEntries);
  for (let old = height - entries; old >= 0n; old -= 1n) {
    const key = historicalInfoKey(old);
    if (store.get(STORE, key) === undefined) break;
    store.delete(STORE, key);
  }
  if (entries === 0n) return;
  const header = headerBytes({
    $typeName: 'tendermint.types.Header',
    version: { $typeName: 'tendermint.version.Consensus', block: 0n, app: 0n },
    chainId,
    height,
    time: toTimestamp(time),
    lastBlockId: {
      $typeName: 'tendermint.types.BlockID',
      hash: EMPTY,
      partSetHeader: { $typeName: 'tendermint.types.PartSetHeader', total: 0, hash: EMPTY },
    },
    lastCommitHash: EMPTY,
    dataHash: EMPTY,
    validatorsHash: EMPTY,
    nextValidatorsHash: block.facts.nextValidatorsHash,
    consensusHash: EMPTY,
    appHash: block.facts.previousAppHash,
    lastResultsHash: EMPTY,
    evidenceHash: EMPTY,
    proposerAddress: block.proposer,
  });
  for (const validator of lastInConsensusOrder(context).reverse()) writer.bytes(VALIDATORS_FIELD, validator);
  writer.bytes(HEADER_FIELD, header);
  store.set(STORE, historicalInfoKey(height), writer.finish());
}

/** Shared writer, empty between two infos. */
const writer = new MessageWriter();

/** Field numbers of HistoricalInfo. */
const HEADER_FIELD = 1;
const VALIDATORS_FIELD = 2;

/**
 * Encoded validators of the last block, for historical infos: ordered by power descending, then consensus address
 * ascending.
 */
function lastInConsensusOrder(context: Context): Uint8Array[] {
  const placed = Array.from(lastPowers(context), ({ operator }) => {
    const { value, validator } = requireStored(context, operator);
    return { value, power: consensusPower(validator), address: consensusAddressOf(context.crypto, validator) };
  });
  placed.sort((a, b) => (a.power === b.power ? compare(a.address, b.address) : a.power > b.power ? -1 : 1));
  return placed.map(({ value }) => value);
}
