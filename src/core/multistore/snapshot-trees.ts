/** Builds the trees and values of a state-sync snapshot. */
import { equal } from '../bytes/bytes.js';
import type { Sha256 } from '../comet/merkle.js';
import { MAX_KEY_BYTES } from '../iavl/key-heap.js';
import { createNodeHasher, type NodeHasher, rootHash } from '../iavl/node-hash.js';
import { type NodeId, NodeSlab, NONE } from '../iavl/node-slab.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import type { Height } from '../primitives.js';
import type { SnapshotIAVLItem } from '../proto/cosmos/store/snapshots/v1/snapshot_pb.js';
import { encodeCheckpoint, type CheckpointStore } from './checkpoint.js';
import { appHashOf } from './commit-info.js';
import { readItems, SnapshotRefused, type Item } from './snapshot-items.js';

/** One value of the state. */
export interface SnapshotValue {
  readonly store: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Content of a snapshot, verified by its app hash. */
export interface SnapshotContent {
  /** Trees, encoded for `Multistore.restore`. */
  readonly checkpoint: Uint8Array;
  /** All values, ordered by store and key. */
  readonly values: readonly SnapshotValue[];
}

/** Limits on what is built before the app hash is verified. */
export type SnapshotLimits = Readonly<Record<'snapshotValues' | 'snapshotStores', number>>;

/** Limits for a snapshot that this node took itself: none. */
export const OWN_SNAPSHOT: SnapshotLimits = { snapshotValues: Infinity, snapshotStores: Infinity };

/**
 * Builds the trees of a snapshot in a slab, item by item, and compares their app hash with the known one. That hash
 * covers keys, values, versions and the shape of every tree. Throws SnapshotRefused.
 */
export class SnapshotTrees {
  readonly #stores: CheckpointStore[] = [];
  #tree: TreeBuilder | undefined;
  #values = 0;

  constructor(
    private readonly nodes: { readonly slab: NodeSlab; readonly hasher: NodeHasher; readonly crypto: Sha256 },
    private readonly height: Height,
    private readonly limits: SnapshotLimits,
  ) {}

  add(item: Item): void {
    if (item.case === 'store') this.#begin(item.value.name);
    else if (item.case === 'iavl') this.#addNode(item.value);
    else if (item.case === 'extension') throw new SnapshotRefused(`unknown extension snapshotter ${item.value.name}`);
    else throw new SnapshotRefused(`unknown snapshot item ${item.case ?? ''}`);
  }

  /** Verifies the app hash after the last item and returns the stores with their roots. Throws SnapshotRefused. */
  finish(appHash: Uint8Array): readonly CheckpointStore[] {
    const { slab, crypto } = this.nodes;
    this.#endStore();
    const roots = this.#stores.map(({ name, root }) => ({ name, root: rootHash(slab, root) }));
    if (roots.length === 0 || !equal(appHashOf(crypto, roots), appHash))
      throw new SnapshotRefused('its content does not have the app hash of its height');
    return this.#stores;
  }

  #begin(name: string): void {
    const { snapshotStores } = this.limits;
    this.#endStore();
    if (this.#stores.length >= snapshotStores)
      throw new SnapshotRefused(`more than ${snapshotStores} stores (limit snapshotStores)`);
    if (this.#tree !== undefined && this.#tree.name >= name)
      throw new SnapshotRefused('its stores are not in order of name');
    const { slab, hasher, crypto } = this.nodes;
    this.#tree = new TreeBuilder(name, slab, hasher, crypto);
  }

  #addNode(node: SnapshotIAVLItem): void {
    const { version, height } = node;
    if (this.#tree === undefined) throw new SnapshotRefused('a node before the first store');
    if (version < 1n || version > this.height) throw new SnapshotRefused(`a node of height ${version}`);
    this.#tree.add(node);
    if (height === 0) this.#values += 1;
    const { snapshotValues } = this.limits;
    if (this.#values > snapshotValues)
      throw new SnapshotRefused(`more than ${snapshotValues} values (limit snapshotValues)`);
  }

  #endStore(): void {
    if (this.#tree !== undefined) this.#stores.push({ name: this.#tree.name, root: this.#tree.root() });
  }
}

/** Collects the values among the items of a stream. */
export class SnapshotValues {
  #store = '';

  /** Returns the values of the next items; passes each item to `add`. */
  take(items: Iterable<Item>, add: (item: Item) => void = () => undefined): readonly SnapshotValue[] {
    const values: SnapshotValue[] = [];
    for (const item of items) {
      add(item);
      if (item.case === 'store') this.#store = item.value.name;
      if (item.case !== 'iavl' || item.value.height !== 0) continue;
      const { key, value } = item.value;
      values.push({ store: this.#store, key, value });
    }
    return values;
  }
}

/** Reads a complete snapshot stream and verifies it against its app hash. Throws SnapshotRefused. */
export function readSnapshot(
  crypto: Sha256,
  height: Height,
  appHash: Uint8Array,
  stream: Uint8Array,
  limits: SnapshotLimits = FIXED_LIMITS,
): SnapshotContent {
  const slab = new NodeSlab();
  const hasher = createNodeHasher(slab, (data) => crypto.sha256(data));
  const trees = new SnapshotTrees({ slab, hasher, crypto }, height, limits);
  const values = new SnapshotValues().take(readItems(stream), (item) => trees.add(item));
  const stores = trees.finish(appHash);
  return { checkpoint: encodeCheckpoint(crypto, slab, { version: Number(height), stores }), values };
}

/** Builds one tree from its nodes in post-order (cosmos/iavl v1 `import.go`). */
class TreeBuilder {
  /** Finished subtrees, each with its leftmost leaf. An inner node's key is the first key of its right subtree. */
  readonly #finished: { readonly root: NodeId; readonly first: NodeId }[] = [];

  constructor(
    readonly name: string,
    private readonly slab: NodeSlab,
    private readonly hasher: NodeHasher,
    private readonly crypto: Sha256,
  ) {}

  add(item: Pick<SnapshotIAVLItem, 'key' | 'value' | 'version' | 'height'>): void {
    const version = Number(item.version);
    const { slab } = this;
    if (item.height !== 0) return this.#join(item.height, version);
    if (item.key.length > MAX_KEY_BYTES) throw new SnapshotRefused(`a key of ${item.key.length} bytes`);
    const valueHash = this.crypto.sha256(item.value);
    const leaf = slab.leaf(slab.keys.add(item.key), this.hasher.leaf(version, item.key, valueHash));
    slab.setVersion(leaf, version);
    this.#finished.push({ root: leaf, first: leaf });
  }

  /** Root after the last node; `NONE` for an empty tree. */
  root(): NodeId {
    if (this.#finished.length > 1) throw new SnapshotRefused(`store ${this.name} is not one tree`);
    return this.#finished[0]?.root ?? NONE;
  }

  #join(height: number, version: number): void {
    const right = this.#finished.pop();
    const left = this.#finished.pop();
    if (left === undefined || right === undefined) throw new SnapshotRefused('an inner node lacks children');
    const { slab } = this;
    const inner = slab.inner(slab.keys.share(slab.key(right.first)), left.root, right.root);
    if (slab.height(inner) !== height)
      throw new SnapshotRefused('an inner node has another height than its children say');
    slab.setHash(inner, this.hasher.inner(inner, version));
    slab.setVersion(inner, version);
    this.#finished.push({ root: inner, first: left.first });
  }
}
