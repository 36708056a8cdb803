/** Text keys of block ids, by which votes are counted and blocks compared; the key of nil is empty. */
import { isNilBlockId } from '../comet/vote.js';
import { upperHex } from '../bytes/hex.js';
import { fromTimestamp } from '../comet/time.js';
import type { TimeNs } from '../primitives.js';
import type { Block } from '../proto/tendermint/types/block_pb.js';
import type { BlockID } from '../proto/tendermint/types/types_pb.js';

/**
 * A complete block and its id. `valid` is the host's verdict (header rules and ProcessProposal); a validator votes nil
 * for an invalid one.
 */
export interface ProposedBlock {
  readonly blockId: BlockID;
  readonly block: Block;
  /** Protobuf bytes of the block, from which the id was made. */
  readonly encoded: Uint8Array;
  readonly valid: boolean;
}

/** Keys of block ids, which are never changed: a round compares the same few ids some thirty times. */
const keys = new WeakMap<BlockID, string>();

/** Equal for equal block ids; the empty string for nil. */
export function blockKey(blockId: BlockID | undefined): string {
  if (blockId === undefined) return '';
  const known = keys.get(blockId);
  if (known !== undefined) return known;
  const { total = 0, hash = new Uint8Array() } = blockId.partSetHeader ?? {};
  const key = isNilBlockId(blockId) ? '' : `${upperHex(blockId.hash)}:${total}:${upperHex(hash)}`;
  keys.set(blockId, key);
  return key;
}

/** True when the block has this id; false without a block. */
export function isBlock(block: ProposedBlock | undefined, blockId: BlockID | undefined): boolean {
  return block !== undefined && blockId !== undefined && blockKey(block.blockId) === blockKey(blockId);
}

/** Time in the block's header; undefined without a block. */
export function blockTime(block: ProposedBlock | undefined): TimeNs | undefined {
  const time = block?.block.header?.time;
  return time && fromTimestamp(time);
}
