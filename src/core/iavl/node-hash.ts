import { hexToBytes } from '@noble/hashes/utils.js';
import { MAX_KEY_BYTES } from './key-heap.js';
import { type NodeId, type NodeSlab, NONE } from './node-slab.js';

/** SHA-256 of the empty string: the root hash of an empty tree (cosmos/iavl v1 `immutable_tree.go`). */
const EMPTY_ROOT = hexToBytes('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');

const HASH_BYTES = 32;

/** Copy of a root node's hash; `EMPTY_ROOT` for an empty tree. */
export function rootHash(slab: NodeSlab, root: NodeId): Uint8Array {
  return root === NONE ? EMPTY_ROOT : slab.hash(root).slice();
}

/** Writes an unsigned varint; returns the offset after it. */
export function putUvarint(target: Uint8Array, offset: number, value: number): number {
  let rest = value;
  let end = offset;
  while (rest >= 0x80) {
    target[end] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
    end += 1;
  }
  target[end] = rest;
  return end + 1;
}

/**
 * Writes height, size and version as zigzag varints, the beginning of every hashed node; returns the offset after them.
 */
export function putNodeHead(target: Uint8Array, height: number, size: number, version: number): number {
  return putUvarint(target, putUvarint(target, putUvarint(target, 0, height * 2), size * 2), version * 2);
}

function putHash(target: Uint8Array, offset: number, hash: Uint8Array): number {
  target[offset] = HASH_BYTES;
  target.set(hash, offset + 1);
  return offset + 1 + HASH_BYTES;
}

/**
 * Creates the node hash functions of cosmos/iavl v1 (`node.go`): a leaf hashes its key and value hash, an inner node
 * its children's hashes, each after height, size and version.
 */
export function createNodeHasher(
  slab: NodeSlab,
  sha256: (data: Uint8Array) => Uint8Array,
): {
  leaf(version: number, key: Uint8Array, valueHash: Uint8Array): Uint8Array;
  inner(id: NodeId, version: number): Uint8Array;
} {
  const scratch = new Uint8Array(MAX_KEY_BYTES + 128);
  return {
    leaf: (version, key, valueHash) => {
      const afterHead = putNodeHead(scratch, 0, 1, version);
      const afterLength = putUvarint(scratch, afterHead, key.length);
      scratch.set(key, afterLength);
      return sha256(scratch.subarray(0, putHash(scratch, afterLength + key.length, valueHash)));
    },
    inner: (id, version) => {
      const afterHead = putNodeHead(scratch, slab.height(id), slab.size(id), version);
      const afterLeft = afterHead + 1 + HASH_BYTES;
      scratch[afterHead] = HASH_BYTES;
      slab.putHash(slab.left(id), scratch, afterHead + 1);
      scratch[afterLeft] = HASH_BYTES;
      slab.putHash(slab.right(id), scratch, afterLeft + 1);
      return sha256(scratch.subarray(0, afterLeft + 1 + HASH_BYTES));
    },
  };
}

export type NodeHasher = ReturnType<typeof createNodeHasher>;
