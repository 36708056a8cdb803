/** Ethereum header fields that follow from a CometBFT header and the events of the block's execution. */
import { bytesOfDigits, hexData } from '../bytes/hex.js';
import type { EncodedResults } from '../comet/encoded-results.js';
import type { Event } from '../proto/tendermint/abci/types_pb.js';
import type { EthereumHeader } from './block-view.js';

/** Facts of a block that are neither in its header nor in its events. */
export interface HeaderSurroundings {
  /** Proposer's account address (20 bytes). */
  readonly miner: Uint8Array;
  /** `max_gas` of the consensus parameters at this height; -1 means no limit. */
  readonly maxGas: bigint;
  /** PREVRANDAO when none was set, 32 bytes; default zeros. */
  readonly prevRandao?: Uint8Array;
}

/** Gas limit shown when the chain has none, as in cosmos/evm. */
const NO_GAS_LIMIT = 0xffff_ffffn;
const NO_HASH = new Uint8Array(32);

/** Header gas limit for `max_gas` of the consensus parameters. */
export function shownGasLimit(maxGas: bigint): bigint {
  return maxGas < 0n ? NO_GAS_LIMIT : maxGas;
}

/** Header fields that do not depend on transactions. `events`: block events. */
export function headerFactsOf(
  block: Pick<EthereumHeader, 'height' | 'parentHash' | 'timestamp' | 'stateRoot'>,
  events: readonly Event[],
  { miner, maxGas, prevRandao }: HeaderSurroundings,
): Omit<EthereumHeader, 'gasUsed' | 'transactionsRoot' | 'receiptsRoot' | 'logsBloom'> {
  const overrides = overridesIn(events);
  return {
    ...block,
    miner: overrides.coinbase ?? miner,
    mixHash: overrides.prevRandao ?? prevRandao ?? NO_HASH,
    ...(overrides.extraData !== undefined && { extraData: overrides.extraData }),
    gasLimit: shownGasLimit(maxGas),
    baseFeePerGas: baseFeeOf(events),
  };
}

/** Base fee of the block in wei; undefined without one. The fee market emits no event before its start height. */
function baseFeeOf(events: readonly Event[]): bigint | undefined {
  const value = events
    .findLast(({ type }) => type === 'evm_fee_market')
    ?.attributes.find(({ key }) => key === 'base_fee')?.value;
  return value === undefined ? undefined : BigInt(value);
}

/** Facts that a developer set on a dev chain (`src/core/modules/dev/module.ts`). */
function overridesIn(events: readonly Event[]): {
  readonly coinbase: Uint8Array | undefined;
  readonly prevRandao: Uint8Array | undefined;
  readonly extraData: Uint8Array | undefined;
} {
  const fact = bytesIn(events.find(({ type }) => type === 'dev_block'));
  return { coinbase: fact('coinbase'), prevRandao: fact('prev_randao'), extraData: fact('extra_data') };
}

const HASHES_EVENT = 'ethereum_block';

/**
 * Event with a block's Ethereum header hash and its parent's. Its attributes are not indexed: the database finds
 * blocks by both hashes anyway.
 */
export function hashesEvent(hash: Uint8Array, parentHash: Uint8Array): Event {
  const attribute = (key: string, value: Uint8Array) =>
    ({ $typeName: 'tendermint.abci.EventAttribute', key, value: hexData(value), index: false }) as const;
  return {
    $typeName: 'tendermint.abci.Event',
    type: HASHES_EVENT,
    attributes: [attribute('hash', hash), attribute('parent_hash', parentHash)],
  };
}

/** Hash and parent hash of a block on Ethereum JSON-RPC, 32 bytes each. */
export interface HeaderHashes {
  readonly hash: Uint8Array;
  readonly parentHash: Uint8Array;
}

/** Hashes from the event that `hashesEvent` made; undefined when the block has only its CometBFT hash. */
export function headerHashesOf(results: Pick<EncodedResults, 'lastEvent'> | undefined): HeaderHashes | undefined {
  const fact = bytesIn(results?.lastEvent(HASHES_EVENT));
  const hash = fact('hash');
  const parentHash = fact('parent_hash');
  return hash === undefined || parentHash === undefined ? undefined : { hash, parentHash };
}

function bytesIn(event: Event | undefined): (key: string) => Uint8Array | undefined {
  return (key) => bytesOfDigits(event?.attributes.find((one) => one.key === key)?.value.slice(2) ?? '-');
}
