/**
 * The nodes of one saved tree as bytes, in post-order: shape, versions, keys and leaf hashes. Heights, sizes, keys of
 * inner nodes and their hashes follow from these and are recomputed, which also checks the image against its root.
 *
 * A record begins with version * 2 + (1 for an inner node). A leaf continues with the length of the prefix that its key
 * shares with the key before, the rest of the key with its length, and 32 bytes of hash. 0 ends the tree.
 */
import { invariant } from '../errors.js';
import type { ByteReader, ByteWriter } from './byte-stream.js';
import { MAX_KEY_BYTES } from './key-heap.js';
import type { NodeHasher } from './node-hash.js';
import { type NodeId, type NodeSlab, NONE } from './node-slab.js';

const HASH_BYTES = 32;

/** Appends the tree under `root` to `output`; `NONE` writes an empty tree, which is the byte 0. */
export function writeTree(slab: NodeSlab, root: NodeId, output: ByteWriter): void {
  let previous: Uint8Array = new Uint8Array();
  const write = (id: NodeId): void => {
    if (slab.height(id) > 0) {
      write(slab.left(id));
      write(slab.right(id));
      output.uvarint(slab.version(id) * 2 + 1);
      return;
    }
    const key = slab.keys.view(slab.key(id));
    const shared = sharedPrefix(previous, key);
    output.uvarint(slab.version(id) * 2);
    output.uvarint(shared);
    output.uvarint(key.length - shared);
    output.bytes(key.subarray(shared));
    output.bytes(slab.hash(id));
    previous = key;
  };
  if (root !== NONE) write(root);
  output.uvarint(0);
}

/** Builds the nodes of an image and returns their root; its hash shows whether the image is complete. */
export function readTree(slab: NodeSlab, hasher: NodeHasher, input: ByteReader): NodeId {
  /** Finished subtrees, each with its leftmost leaf, whose key becomes the key of the inner node above to the left. */
  const roots: NodeId[] = [];
  const firsts: NodeId[] = [];
  const key = new Uint8Array(MAX_KEY_BYTES);
  for (let tag = input.uvarint(); tag !== 0; tag = input.uvarint()) {
    const version = Math.floor(tag / 2);
    if (tag % 2 === 1) {
      const right = roots.pop();
      const left = roots.pop();
      const first = firsts.pop();
      if (right === undefined || left === undefined || first === undefined)
        throw new Error('invariant: an inner node of an image lacks children');
      const inner = slab.inner(slab.keys.share(slab.key(first)), left, right);
      slab.setHash(inner, hasher.inner(inner, version));
      slab.setVersion(inner, version);
      roots.push(inner);
      continue;
    }
    const shared = input.uvarint();
    const length = shared + input.uvarint();
    input.copy(key, shared, length);
    const leaf = slab.leaf(slab.keys.add(key.subarray(0, length)), input.bytes(HASH_BYTES));
    slab.setVersion(leaf, version);
    roots.push(leaf);
    firsts.push(leaf);
  }
  invariant(roots.length <= 1, 'an image holds one tree');
  return roots[0] ?? NONE;
}

function sharedPrefix(left: Uint8Array, right: Uint8Array): number {
  const limit = Math.min(left.length, right.length);
  let length = 0;
  while (length < limit && left[length] === right[length]) length += 1;
  return length;
}
