/**
 * Cuts a block into parts for gossip, and computes the block id of header and parts (CometBFT spec,
 * core/data_structures, BlockID).
 */
import { create } from '@bufbuild/protobuf';
import { invariant } from '../errors.js';
import type { Block } from '../proto/tendermint/types/block_pb.js';
import {
  type BlockID,
  type Part,
  PartSchema,
  type PartSetHeader,
  PartSetHeaderSchema,
} from '../proto/tendermint/types/types_pb.js';
import { blockBytes } from './block-bytes.js';
import { headerHash } from './header-hash.js';
import { merkleProofs, merkleRoot, type Sha256 } from './merkle.js';

export const BLOCK_PART_BYTES = 65_536;

export interface PartSet {
  readonly header: PartSetHeader;
  readonly parts: readonly Part[];
}

/** The protobuf bytes of a block exactly as Go writes them. */
export function encodeBlock(block: Block): Uint8Array {
  return blockBytes(block);
}

/** Parts of 65536 bytes of an encoded block, each with its proof. */
export function makePartSet(crypto: Sha256, encodedBlock: Uint8Array): PartSet {
  const chunks = chunksOf(encodedBlock);
  const { root, proofs } = merkleProofs(crypto, chunks);
  const parts = chunks.map((bytes, index) => {
    const proof = proofs[index];
    invariant(proof !== undefined, 'every part has a proof');
    return create(PartSchema, { index, bytes, proof });
  });
  return { header: create(PartSetHeaderSchema, { total: chunks.length, hash: root }), parts };
}

/**
 * The id of a block, and the length of its encoding in bytes (`block_size`). Callers pass the encoding when they have
 * it.
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
