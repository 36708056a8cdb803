import { invariant } from '../errors.js';
import type { StateRange } from '../state/state.js';
import type { KeyRef } from './key-heap.js';
import { type NodeHasher, rootHash } from './node-hash.js';
import { type NodeId, type NodeSlab, NONE, UNSAVED } from './node-slab.js';
import { keysInRange } from './walk.js';

/** A saved version: its root, and the nodes of the previous version that it no longer contains. */
interface SavedVersion {
  readonly version: number;
  readonly root: NodeId;
  /** Root hash; the same array as long as the tree does not change. */
  readonly hash: Uint8Array;
  readonly orphans: readonly NodeId[];
}

/** Result of a removal below a node. `splitKey` replaces the key of the inner node that split at the removed key. */
interface Removal {
  readonly node: NodeId;
  readonly splitKey: KeyRef | undefined;
}

/**
 * An IAVL tree with the shape and hashes of cosmos/iavl v1, over nodes in a shared slab. Changes go to an unsaved
 * version (copy on write); saved versions stay readable until dropped, oldest first.
 */
export class IavlTree {
  readonly #slab: NodeSlab;
  readonly #hasher: NodeHasher;
  #root: NodeId = NONE;
  #orphans: NodeId[] = [];
  readonly #saved: SavedVersion[] = [];
  #hashed = 0;

  constructor(slab: NodeSlab, hasher: NodeHasher) {
    this.#slab = slab;
    this.#hasher = hasher;
  }

  /** Number of keys, including unsaved changes. */
  get size(): number {
    return this.#root === NONE ? 0 : this.#slab.size(this.#root);
  }

  /** Number of nodes hashed so far, for benchmarks. */
  get hashedNodes(): number {
    return this.#hashed;
  }

  /** Root node, including unsaved changes. */
  get workingRoot(): NodeId {
    return this.#root;
  }

  /** Sets a key to a value with this SHA-256. Setting an equal value still gives the leaf the new version. */
  set(key: Uint8Array, valueHash: Uint8Array): void {
    this.#root =
      this.#root === NONE
        ? this.#slab.leaf(this.#slab.keys.add(key), valueHash)
        : this.#setUnder(this.#root, key, valueHash);
  }

  /** Removes a key; false when it was absent. */
  remove(key: Uint8Array): boolean {
    if (this.#root === NONE) return false;
    const removal = this.#removeUnder(this.#root, key);
    if (removal === undefined) return false;
    if (removal.splitKey !== undefined) this.#slab.keys.release(removal.splitKey);
    this.#root = removal.node;
    return true;
  }

  /** Removes all keys. */
  clear(): void {
    this.#discardUnder(this.#root);
    this.#root = NONE;
  }

  /**
   * Hashes the changed nodes, saves the changes as `version`, and returns the root hash (32 bytes; the same array as
   * before when nothing changed).
   */
  saveVersion(version: number): Uint8Array {
    const last = this.#saved.at(-1);
    invariant(version > (last?.version ?? 0) && version <= 0xffffffff, 'versions of a tree must rise');
    if (this.#root !== NONE) this.#save(this.#root, version);
    const hash = last?.root === this.#root ? last.hash : rootHash(this.#slab, this.#root);
    this.#saved.push({ version, root: this.#root, hash, orphans: this.#orphans });
    this.#orphans = [];
    return hash;
  }

  /** Root node of a saved version; undefined when that version is dropped or was never saved. */
  rootOf(version: number): NodeId | undefined {
    const first = this.#saved[0];
    if (first === undefined) return undefined;
    const guess = this.#saved[version - first.version];
    return (guess?.version === version ? guess : this.#saved.find((saved) => saved.version === version))?.root;
  }

  /** Drops saved versions below `version` and frees nodes used only by them. The newest version is never dropped. */
  dropVersionsBelow(version: number): void {
    for (
      let next = this.#saved[1];
      next !== undefined && (this.#saved[0]?.version ?? version) < version;
      next = this.#saved[1]
    ) {
      this.#saved.shift();
      if (next.orphans.length === 0) continue;
      for (const orphan of next.orphans) this.#slab.free(orphan);
      this.#saved[0] = { ...next, orphans: [] };
    }
  }

  /** Rolls back to a saved version; frees nodes used only by later ones. There must be no unsaved changes. */
  rollback(version: number): void {
    const kept = this.#saved.findIndex((saved) => saved.version === version);
    const target = this.#saved[kept];
    invariant(
      target !== undefined && this.#root === this.#saved.at(-1)?.root && this.#orphans.length === 0,
      'a tree goes back from a saved version to a saved one',
    );
    // A node belongs to the version that created it, so each is visited once.
    for (const { version: made, root } of this.#saved.splice(kept + 1)) this.#freeMadeIn(made, root);
    this.#root = target.root;
  }

  /** Frees all nodes and versions. There must be no unsaved changes. */
  dispose(): void {
    invariant(
      this.#root === (this.#saved.at(-1)?.root ?? NONE) && this.#orphans.length === 0,
      'a tree is disposed of in a saved version',
    );
    for (const { version, root } of this.#saved.splice(0)) this.#freeMadeIn(version, root);
    this.#root = NONE;
  }

  /**
   * Keys of a version in order (default: including unsaved changes). Keys are copies; iteration must end before the
   * version is dropped.
   */
  keys(range: StateRange = {}, root: NodeId = this.#root): Iterable<Uint8Array> {
    return keysInRange(this.#slab, root, range);
  }

  /** Takes over restored nodes as the only saved version. */
  adopt(version: number, root: NodeId): void {
    invariant(this.#root === NONE && this.#saved.length === 0, 'only an empty tree adopts nodes');
    this.#root = root;
    this.#saved.push({ version, root, hash: rootHash(this.#slab, root), orphans: [] });
  }

  #freeMadeIn(version: number, id: NodeId): void {
    const slab = this.#slab;
    if (id === NONE || slab.version(id) !== version) return;
    if (slab.height(id) > 0) {
      this.#freeMadeIn(version, slab.left(id));
      this.#freeMadeIn(version, slab.right(id));
    }
    slab.free(id);
  }

  #setUnder(id: NodeId, key: Uint8Array, valueHash: Uint8Array): NodeId {
    const slab = this.#slab;
    const order = slab.keys.compare(key, slab.key(id));
    if (slab.height(id) === 0) return this.#setAtLeaf(id, order, key, valueHash);
    const sizeBefore = slab.size(id);
    const node = this.#own(id);
    if (order < 0) slab.setChildren(node, this.#setUnder(slab.left(node), key, valueHash), slab.right(node));
    else slab.setChildren(node, slab.left(node), this.#setUnder(slab.right(node), key, valueHash));
    return slab.size(node) === sizeBefore ? node : this.#balance(node);
  }

  /** Replaces the leaf, or splits it into an inner node with the larger key. */
  #setAtLeaf(id: NodeId, order: number, key: Uint8Array, valueHash: Uint8Array): NodeId {
    const slab = this.#slab;
    if (order === 0) {
      if (slab.version(id) === UNSAVED) {
        slab.setHash(id, valueHash);
        return id;
      }
      this.#orphans.push(id);
      return slab.leaf(slab.keys.share(slab.key(id)), valueHash);
    }
    const leaf = slab.leaf(slab.keys.add(key), valueHash);
    return order < 0
      ? slab.inner(slab.keys.share(slab.key(id)), leaf, id)
      : slab.inner(slab.keys.share(slab.key(leaf)), id, leaf);
  }

  /** Removes a key below a node; undefined, with the tree unchanged, when it is absent. */
  #removeUnder(id: NodeId, key: Uint8Array): Removal | undefined {
    const slab = this.#slab;
    const order = slab.keys.compare(key, slab.key(id));
    if (slab.height(id) === 0) {
      if (order !== 0) return undefined;
      this.#discard(id);
      return { node: NONE, splitKey: undefined };
    }
    const left = slab.left(id);
    const right = slab.right(id);
    const removal = this.#removeUnder(order < 0 ? left : right, key);
    if (removal === undefined) return undefined;
    if (removal.node === NONE) {
      const splitKey = order < 0 ? slab.keys.share(slab.key(id)) : undefined;
      this.#discard(id);
      return { node: order < 0 ? right : left, splitKey };
    }
    const node = this.#own(id);
    if (order < 0) {
      slab.setChildren(node, removal.node, right);
      return { node: this.#balance(node), splitKey: removal.splitKey };
    }
    slab.setChildren(node, left, removal.node);
    if (removal.splitKey !== undefined) slab.setKey(node, removal.splitKey);
    return { node: this.#balance(node), splitKey: undefined };
  }

  #balance(id: NodeId): NodeId {
    const slab = this.#slab;
    const tilt = this.#tilt(id);
    if (tilt > 1) {
      if (this.#tilt(slab.left(id)) < 0) slab.setChildren(id, this.#rotateLeft(slab.left(id)), slab.right(id));
      return this.#rotateRight(id);
    }
    if (tilt < -1) {
      if (this.#tilt(slab.right(id)) > 0) slab.setChildren(id, slab.left(id), this.#rotateRight(slab.right(id)));
      return this.#rotateLeft(id);
    }
    return id;
  }

  #tilt(id: NodeId): number {
    return this.#slab.height(this.#slab.left(id)) - this.#slab.height(this.#slab.right(id));
  }

  #rotateRight(id: NodeId): NodeId {
    const slab = this.#slab;
    const lower = this.#own(id);
    const upper = this.#own(slab.left(lower));
    slab.setChildren(lower, slab.right(upper), slab.right(lower));
    slab.setChildren(upper, slab.left(upper), lower);
    return upper;
  }

  #rotateLeft(id: NodeId): NodeId {
    const slab = this.#slab;
    const lower = this.#own(id);
    const upper = this.#own(slab.right(lower));
    slab.setChildren(lower, slab.left(lower), slab.left(upper));
    slab.setChildren(upper, lower, slab.right(upper));
    return upper;
  }

  /** Returns the node if unsaved, otherwise an unsaved copy that replaces it. */
  #own(id: NodeId): NodeId {
    const slab = this.#slab;
    if (slab.version(id) === UNSAVED) return id;
    this.#orphans.push(id);
    return slab.inner(slab.keys.share(slab.key(id)), slab.left(id), slab.right(id));
  }

  #discard(id: NodeId): void {
    if (this.#slab.version(id) === UNSAVED) this.#slab.free(id);
    else this.#orphans.push(id);
  }

  #discardUnder(id: NodeId): void {
    if (id === NONE) return;
    this.#discardUnder(this.#slab.left(id));
    this.#discardUnder(this.#slab.right(id));
    this.#discard(id);
  }

  #save(id: NodeId, version: number): void {
    const slab = this.#slab;
    if (slab.version(id) !== UNSAVED) return;
    if (slab.height(id) === 0) {
      slab.setHash(id, this.#hasher.leaf(version, slab.keys.view(slab.key(id)), slab.hash(id)));
    } else {
      this.#save(slab.left(id), version);
      this.#save(slab.right(id), version);
      slab.setHash(id, this.#hasher.inner(id, version));
    }
    slab.setVersion(id, version);
    this.#hashed += 1;
  }
}
