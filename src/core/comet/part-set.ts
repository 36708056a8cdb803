/**
 * Block id: hash of the header, and Merkle root over the parts of the encoded block (CometBFT spec,
 * core/data_structures, BlockID).
 */
import { invariant } from '../errors.js';
import type { Block } from '../proto/tendermint/types/block_pb.js';
import type { BlockID } from '../proto/tendermint/types/types_pb.js';
import { blockBytes } from './block-bytes.js';
import { headerHash } from './header-hash.js';
import { merkleRoot, type Sha256 } from './merkle.js';

const BLOCK_PART_BYTES = 65_536;

/** Encodes a block exactly as Go does. */
export function encodeBlock(block: Block): Uint8Array {
  return blockBytes(block);
}

/**
 * Computes the id of a block and the length of its encoding in bytes (`block_size`). Pass the encoding when it is at
 * hand.
 */
export function blockIdOf(
  crypto: Sha256,
  block: Block,
  encoded = encodeBlock(block),
): { readonly blockId: BlockID; readonly size: number } {
  const { header } = block;
  invariant(header !== undefined, 'a block has a header');
  const chunks = chunksOf(encoded);
  return {
    blockId: {
      $typeName: 'tendermint.types.BlockID',
      hash: headerHash(crypto, header),
      partSetHeader: {
        $typeName: 'tendermint.types.PartSetHeader',
        total: chunks.length,
        hash: merkleRoot(crypto, chunks),
      },
    },
    size: encoded.length,
  };
}

function chunksOf(encodedBlock: Uint8Array): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < encodedBlock.length; start += BLOCK_PART_BYTES) {
    chunks.push(encodedBlock.subarray(start, start + BLOCK_PART_BYTES));
  }
  return chunks;
}
