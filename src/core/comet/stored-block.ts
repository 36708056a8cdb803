import type { Block } from '../proto/tendermint/types/block_pb.js';
import type { BlockID } from '../proto/tendermint/types/types_pb.js';

/** A decided block as the node stores it. */
export interface StoredBlock {
  readonly block: Block;
  readonly blockId: BlockID;
  /** Length of the encoded block in bytes. */
  readonly size: number;
}
