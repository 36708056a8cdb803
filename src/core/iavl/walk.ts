import type { StateRange } from '../state/state.js';
import { type NodeId, type NodeSlab, NONE } from './node-slab.js';

/**
 * Keys (copies) under a root, ascending or descending: `start` included, `end` excluded. Skips subtrees outside of the
 * range, so a short range costs only the tree's depth.
 */
export function* keysInRange(slab: NodeSlab, root: NodeId, range: StateRange): Generator<Uint8Array, void, undefined> {
  for (const leaf of leavesInRange(slab, root, range)) yield slab.keys.view(slab.key(leaf)).slice();
}

/** Leaf nodes under a root within a range, in order. */
export function* leavesInRange(slab: NodeSlab, root: NodeId, range: StateRange): Generator<NodeId, void, undefined> {
  const walk = new LeafWalk(slab, root, range);
  for (let leaf = walk.next(); leaf !== NONE; leaf = walk.next()) yield leaf;
}

/**
 * Iterator over leaf nodes within a range; `next` returns `NONE` at the end. Not a generator, because each block starts
 * a dozen ranges, most of them empty.
 */
export class LeafWalk {
  readonly #slab: NodeSlab;
  readonly #start: Uint8Array | undefined;
  readonly #end: Uint8Array | undefined;
  readonly #reverse: boolean;
  /** Stack of nodes still to visit. */
  readonly #pending: NodeId[] = [];

  constructor(slab: NodeSlab, root: NodeId, { start, end, reverse = false }: StateRange) {
    this.#slab = slab;
    this.#start = start;
    this.#end = end;
    this.#reverse = reverse;
    if (root !== NONE) this.#pending.push(root);
  }

  next(): NodeId {
    const slab = this.#slab;
    const pending = this.#pending;
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const key = slab.key(id);
      const startOrder = this.#start === undefined ? -1 : slab.keys.compare(this.#start, key);
      const endOrder = this.#end === undefined ? 1 : slab.keys.compare(this.#end, key);
      if (slab.height(id) === 0) {
        if (startOrder <= 0 && endOrder > 0) return id;
        continue;
      }
      // A node's key is the smallest key of its right subtree.
      if (this.#reverse && startOrder < 0) pending.push(slab.left(id));
      if (endOrder > 0) pending.push(slab.right(id));
      if (!this.#reverse && startOrder < 0) pending.push(slab.left(id));
    }
    return NONE;
  }
}

/** The leaf of a key under a root; `NONE` when the key is absent. */
export function leafOf(slab: NodeSlab, root: NodeId, key: Uint8Array): NodeId {
  if (root === NONE) return NONE;
  let id = root;
  while (slab.height(id) > 0) id = slab.keys.compare(key, slab.key(id)) < 0 ? slab.left(id) : slab.right(id);
  return slab.keys.compare(key, slab.key(id)) === 0 ? id : NONE;
}

/** Number of keys under a root that sort before `key`, and whether `key` is present. */
export function rankOf(
  slab: NodeSlab,
  root: NodeId,
  key: Uint8Array,
): { readonly rank: number; readonly present: boolean } {
  if (root === NONE) return { rank: 0, present: false };
  let rank = 0;
  let id = root;
  while (slab.height(id) > 0) {
    if (slab.keys.compare(key, slab.key(id)) < 0) {
      id = slab.left(id);
    } else {
      rank += slab.size(slab.left(id));
      id = slab.right(id);
    }
  }
  const order = slab.keys.compare(key, slab.key(id));
  return { rank: order > 0 ? rank + 1 : rank, present: order === 0 };
}

/** Nodes from the root to the leaf at a rank (0 is the smallest key); the rank must be below the tree's size. */
export function pathToRank(slab: NodeSlab, root: NodeId, rank: number): readonly NodeId[] {
  const path = [root];
  let id = root;
  let rest = rank;
  while (slab.height(id) > 0) {
    const leftSize = slab.size(slab.left(id));
    if (rest < leftSize) {
      id = slab.left(id);
    } else {
      rest -= leftSize;
      id = slab.right(id);
    }
    path.push(id);
  }
  return path;
}

/**
 * The leaf at a rank, then the inner nodes that it completes in post-order, the SDK's export order. The rank must be
 * below the tree's size.
 */
export function* postOrderAt(slab: NodeSlab, root: NodeId, rank: number): Generator<NodeId, void, undefined> {
  const path = pathToRank(slab, root, rank);
  for (let depth = path.length - 1; depth >= 0; depth -= 1) {
    const node = path[depth] ?? NONE;
    yield node;
    const parent = path[depth - 1];
    if (parent === undefined || slab.right(parent) !== node) return;
  }
}
