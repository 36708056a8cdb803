/** The members of an Ethereum header that a block's consensus header and the events of its execution give. */
import { bytesOfDigits, hexData } from '../bytes/hex.js';
import type { EncodedResults } from '../comet/encoded-results.js';
import type { Event } from '../proto/tendermint/abci/types_pb.js';
import type { EthereumHeader } from './block-view.js';

/** Facts of a block that neither its header nor its events contain. */
export interface HeaderSurroundings {
  /** Proposer's account address (20 bytes). */
  readonly miner: Uint8Array;
  /** `max_gas` of the consensus parameters of this height; -1 means no limit. */
  readonly maxGas: bigint;
  /** PREVRANDAO of a block for which none was set, 32 bytes; zeros by default. */
  readonly prevRandao?: Uint8Array;
}

/** Gas limit shown for a chain without one, as cosmos/evm does. */
const NO_GAS_LIMIT = 0xffff_ffffn;
const NO_HASH = new Uint8Array(32);

/** Gas limit in a header for `max_gas` of the consensus parameters. */
export function shownGasLimit(maxGas: bigint): bigint {
  return maxGas < 0n ? NO_GAS_LIMIT : maxGas;
}

/** The members of a header that do not depend on transactions. `events`: those of the block itself. */
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

/**
 * Base fee of the EVM in the block, wei; undefined without one. The fee market emits no event before its start height.
 */
function baseFeeOf(events: readonly Event[]): bigint | undefined {
  const value = events
    .findLast(({ type }) => type === 'evm_fee_market')
    ?.attributes.find(({ key }) => key === 'base_fee')?.value;
  return value === undefined ? undefined : BigInt(value);
}

/** Facts that a developer set on a development chain (`src/core/modules/dev/module.ts`). */
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
 * The event of a block whose hash on the Ethereum face is that of its header. Its attributes are not indexed: the
 * database finds blocks by both of their hashes.
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

/** Both hashes of a block on the Ethereum face, 32 bytes each. */
export interface HeaderHashes {
  readonly hash: Uint8Array;
  readonly parentHash: Uint8Array;
}

/** The hashes in the event of `hashesEvent`; undefined where a block has the hash of the consensus block alone. */
export function headerHashesOf(results: Pick<EncodedResults, 'lastEvent'> | undefined): HeaderHashes | undefined {
  const fact = bytesIn(results?.lastEvent(HASHES_EVENT));
  const hash = fact('hash');
  const parentHash = fact('parent_hash');
  return hash === undefined || parentHash === undefined ? undefined : { hash, parentHash };
}

function bytesIn(event: Event | undefined): (key: string) => Uint8Array | undefined {
  return (key) => bytesOfDigits(event?.attributes.find((one) => one.key === key)?.value.slice(2) ?? '-');
}
