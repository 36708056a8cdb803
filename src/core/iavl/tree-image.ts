/**
 * Serialized nodes of one saved tree, in post-order: shape, versions, keys and leaf hashes. Heights, sizes, inner keys
 * and inner hashes are recomputed, which also verifies the image against its root.
 *
 * A record begins with version * 2, plus 1 for an inner node. A leaf continues with the length of the key prefix shared
 * with the previous key, the rest of the key with its length, and a 32-byte hash. 0 ends the tree.
 *
 * 1 begins a page: a whole subtree of at most `PAGE_LEAVES` leaves. A page contains version, height, size, key and hash
 * of its root, and the records of its two subtrees with their length; these are decoded on first access.
 */
import { equal, sharedPrefix } from '../bytes/bytes.js';
import { invariant } from '../errors.js';
import { VarintReader, VarintWriter } from './varint-stream.js';
import { type KeyRef, MAX_KEY_BYTES } from './key-heap.js';
import type { NodeHasher } from './node-hash.js';
import { type NodeId, type NodeSlab, NONE } from './node-slab.js';

const HASH_BYTES = 32;

/** Most leaves per page; a page is always decoded as a whole. */
export const PAGE_LEAVES = 128;

const END = 0;
const PAGE = 1;

/**
 * Appends the tree under `root` to `output`, in pages of at most `pageLeaves` leaves; an empty tree (`NONE`) is the
 * byte 0.
 */
export function writeTree(slab: NodeSlab, root: NodeId, output: VarintWriter, pageLeaves: number): void {
  const page = new VarintWriter();
  const write = (id: NodeId, previous: Uint8Array): Uint8Array => {
    if (slab.height(id) === 0) return writeLeaf(slab, id, previous, output);
    if (slab.size(id) > pageLeaves) {
      const last = write(slab.right(id), write(slab.left(id), previous));
      output.uvarint(slab.version(id) * 2 + 1);
      return last;
    }
    output.uvarint(PAGE);
    output.uvarint(slab.version(id));
    output.uvarint(slab.height(id));
    output.uvarint(slab.size(id));
    writeSized(output, slab.keys.view(slab.key(id)));
    output.bytes(slab.hash(id));
    writeSized(output, slab.unloadedBytes(id) ?? subtreesBelow(slab, id, page));
    return previous;
  };
  if (root !== NONE) write(root, new Uint8Array());
  output.uvarint(END);
}

/** Builds the nodes of an image and returns the root; its hash shows whether the image is complete. */
export function readTree(slab: NodeSlab, hasher: NodeHasher, input: VarintReader): NodeId {
  const roots = readNodes(slab, hasher, input);
  invariant(roots.length <= 1, 'an image holds one tree');
  return roots[0] ?? NONE;
}

function writeSized(output: VarintWriter, bytes: Uint8Array): void {
  output.uvarint(bytes.length);
  output.bytes(bytes);
}

/** Appends a leaf, prefix-compressed against the key `previous`; returns its key. */
function writeLeaf(slab: NodeSlab, id: NodeId, previous: Uint8Array, output: VarintWriter): Uint8Array {
  const key = slab.keys.view(slab.key(id));
  const shared = sharedPrefix(previous, key);
  output.uvarint(slab.version(id) * 2);
  output.uvarint(shared);
  writeSized(output, key.subarray(shared));
  output.bytes(slab.hash(id));
  return key;
}

/** Encodes both subtrees of an inner node. */
function subtreesBelow(slab: NodeSlab, root: NodeId, output: VarintWriter): Uint8Array {
  const write = (id: NodeId, previous: Uint8Array): Uint8Array => {
    if (slab.height(id) === 0) return writeLeaf(slab, id, previous, output);
    const last = write(slab.right(id), write(slab.left(id), previous));
    output.uvarint(slab.version(id) * 2 + 1);
    return last;
  };
  write(slab.right(root), write(slab.left(root), new Uint8Array()));
  output.uvarint(END);
  return output.finish();
}

/** Builds nodes up to the end mark; returns the roots of subtrees without a parent. */
function readNodes(slab: NodeSlab, hasher: NodeHasher, input: VarintReader): readonly NodeId[] {
  /**
   * Stack of finished subtrees, each with its smallest key, which becomes the key of the inner node that has it on the
   * right.
   */
  const roots: NodeId[] = [];
  const firsts: KeyRef[] = [];
  const firstsOfPages: KeyRef[] = [];
  const key = new Uint8Array(MAX_KEY_BYTES);
  for (let tag = input.uvarint(); tag !== END; tag = input.uvarint()) {
    const version = Math.floor(tag / 2);
    if (tag === PAGE) {
      const first = slab.keys.add(readPage(slab, hasher, input, roots));
      firsts.push(first);
      firstsOfPages.push(first);
    } else if (tag % 2 === 1) {
      const right = roots.pop();
      const left = roots.pop();
      const first = firsts.pop();
      if (right === undefined || left === undefined || first === undefined)
        throw new Error('invariant: an inner node of an image lacks children');
      const inner = slab.inner(slab.keys.share(first), left, right);
      slab.setHash(inner, hasher.inner(inner, version));
      slab.setVersion(inner, version);
      roots.push(inner);
    } else {
      const shared = input.uvarint();
      const length = shared + input.uvarint();
      input.copy(key, shared, length);
      const leaf = slab.leaf(slab.keys.add(key.subarray(0, length)), input.bytes(HASH_BYTES));
      slab.setVersion(leaf, version);
      roots.push(leaf);
      firsts.push(slab.key(leaf));
    }
  }
  for (const first of firstsOfPages) slab.keys.release(first);
  return roots;
}

/** Adds a page's root to `roots`; returns the smallest key below it. */
function readPage(slab: NodeSlab, hasher: NodeHasher, input: VarintReader, roots: NodeId[]): Uint8Array {
  const version = input.uvarint();
  const height = input.uvarint();
  const size = input.uvarint();
  const key = slab.keys.add(readSized(input));
  const hash = input.bytes(HASH_BYTES);
  // Copied, because a view would keep the whole image alive.
  const bytes = readSized(input).slice();
  const loadChildren = (id: NodeId): void => {
    const [left, right, ...more] = readNodes(slab, hasher, new VarintReader(bytes));
    if (left === undefined || right === undefined || more.length > 0)
      throw new Error('invariant: a page of an image holds two subtrees');
    slab.setChildren(id, left, right);
    invariant(equal(hasher.inner(id, version), slab.hash(id)), 'a page of an image has the hash of its root');
  };
  const id = slab.unread({ key, height, size, version, hash, bytes, loadChildren });
  roots.push(id);
  const firstLeaf = new VarintReader(bytes);
  invariant(firstLeaf.uvarint() % 2 === 0 && firstLeaf.uvarint() === 0, 'a page of an image begins with a leaf');
  return readSized(firstLeaf);
}

function readSized(input: VarintReader): Uint8Array {
  return input.bytes(input.uvarint());
}
