import type { Block } from '../proto/tendermint/types/block_pb.js';
import type { BlockID } from '../proto/tendermint/types/types_pb.js';

/** A decided block as the node keeps it. */
export interface StoredBlock {
  readonly block: Block;
  readonly blockId: BlockID;
  /** Bytes of the encoded block. */
  readonly size: number;
}
