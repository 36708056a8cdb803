import type { Sha256 } from '../comet/merkle.js';
import { IncrementalTree } from '../comet/incremental-tree.js';
import { invariant } from '../errors.js';
import { createNodeHasher, rootHash } from '../iavl/node-hash.js';
import { NodeSlab } from '../iavl/node-slab.js';
import { IavlTree } from '../iavl/tree.js';
import { leafOf } from '../iavl/walk.js';
import { DEFAULT_LIMITS } from '../limits/limits.js';
import { type Height, toHeight } from '../primitives.js';
import { toOrderedString } from '../bytes/key-order.js';
import type { StateReader, StateWrite } from '../state/state.js';
import { type Checked, checkValues, type Damage, damageOf, type HashedNodes, type StoreKey } from './check-values.js';
import { type CheckpointStore, decodeCheckpoint, encodeCheckpoint } from './checkpoint.js';
import { appHashOf, type StoreRoot } from './commit-info.js';
import type { Item } from './snapshot-items.js';
import { type SnapshotCursor, type SnapshotSlice, snapshotSlice } from './snapshot-slice.js';
import { type SnapshotLimits, SnapshotTrees } from './snapshot-trees.js';
import { type Proved, proveIn } from './store-proof.js';
import type { StoreUpgrades } from './store-upgrades.js';
import { readerOver, type ValueReader } from './tree-reader.js';
import { type Commit, rootIn, rootsIn, Versions } from './versions.js';

export interface MultistoreOptions {
  /** Names of the stores that the app hash covers, in any order. */
  readonly stores: readonly string[];
  readonly crypto: Sha256;
  /** Number of versions that stay readable and provable; default: the limit `provableHeights`. */
  readonly provableHeights?: number;
}

/** The IAVL trees of all stores, and the app hash over them. Contains keys and hashes; values are in the database. */
export class Multistore {
  readonly slab = new NodeSlab();
  readonly #crypto: Sha256;
  /** Merkle tree over the store roots. */
  readonly #rootTree: IncrementalTree;
  readonly #hasher = createNodeHasher(this.slab, (data) => this.#crypto.sha256(data));
  readonly #nodes: HashedNodes;
  /** Replaced on change, never mutated, because versions share it. */
  #trees: ReadonlyMap<string, IavlTree> = new Map();
  #names: readonly string[] = [];
  readonly #versions: Versions;
  /** Trees of deleted stores with the first version without them; kept while an older version is provable. */
  readonly #retired = new Map<IavlTree, number>();

  constructor(options: MultistoreOptions) {
    this.#crypto = options.crypto;
    this.#rootTree = new IncrementalTree(options.crypto);
    this.#nodes = { slab: this.slab, hasher: this.#hasher, crypto: options.crypto };
    this.#versions = new Versions(options.provableHeights ?? DEFAULT_LIMITS.provableHeights);
    this.#setTrees(options.stores.map((name) => [name, new IavlTree(this.slab, this.#hasher)]));
  }

  /** Names of the current stores, sorted. */
  get stores(): readonly string[] {
    return this.#names;
  }

  /** Newest commit; undefined before the first. */
  get latest(): Commit | undefined {
    return this.#versions.latest;
  }

  /** Commit of a height; undefined when the height is not committed or no longer provable. */
  commitOf(height: Height): Commit | undefined {
    return this.#versions.at(height);
  }

  /**
   * Applies writes in the given order, which determines the tree shape. The SDK flushes a block's writes ordered by
   * store, then by key.
   */
  apply(writes: Iterable<StateWrite>): void {
    for (const { store, key, value } of writes) {
      if (value === undefined) this.#tree(store).remove(key);
      else this.#tree(store).set(key, this.#crypto.sha256(value));
    }
  }

  /** Saves the applied writes as the state after `height` and drops the oldest version beyond `provableHeights`. */
  commit(height: Height): Commit {
    const version = Number(height);
    const before = this.latest?.roots;
    const roots = this.#names.map((name, index): StoreRoot => {
      const root = this.#tree(name).saveVersion(version);
      const last = before?.[index];
      return last?.name === name && last.root === root ? last : { name, root };
    });
    for (const tree of this.#retired.keys()) tree.saveVersion(version);
    return this.#remember(height, roots);
  }

  /**
   * Reads the applied state: values through `valueOf`, ranges from the keys in memory. Do not use a range after the
   * next `apply`. A missing store reads as empty, because the block of an upgrade reads its new stores.
   */
  reader(valueOf: ValueReader): StateReader {
    return readerOver(this.slab, valueOf, (store) => this.#trees.get(store)?.workingRoot);
  }

  /**
   * Reader of the state after a committed height; a store missing at that height reads as empty. Undefined when the
   * height is not in memory.
   */
  readerAt(height: Height, valueOf: ValueReader): StateReader | undefined {
    const version = this.#versions.at(height);
    return version && readerOver(this.slab, valueOf, (store) => version.trees.get(store)?.rootOf(Number(height)));
  }

  /**
   * Proves presence or absence of a key under the app hash of `height`, like `abci_query /store/<name>/key`: one
   * `ics23:iavl` and one `ics23:simple` op. `valueOf` reads values as of that height. Errors: height-in-future,
   * state-pruned, bad-query (unknown store).
   */
  prove(store: string, key: Uint8Array, height: Height, valueOf: ValueReader): Proved {
    const version = this.#versions.at(height);
    if (version === undefined) return { ok: false, error: this.#versions.notProvable(height) };
    return proveIn({ slab: this.slab, crypto: this.#crypto, version }, store, key, valueOf);
  }

  /**
   * Compares the values of up to `count` keys, from `from` on in order of store and key, with the trees of a
   * committed height. `valueOf` reads values as of that height. Undefined when the height is not in memory.
   */
  checkValues(height: Height, from: StoreKey | undefined, count: number, valueOf: ValueReader): Checked | undefined {
    const version = this.#versions.at(height);
    if (version === undefined) return undefined;
    return checkValues({ ...this.#nodes, roots: rootsIn(version) }, from, count, valueOf);
  }

  /**
   * Returns a slice of the snapshot of a committed height, with about `leaves` leaves starting at `from`. `valueOf`
   * reads values as of that height. Undefined when the height is not in memory.
   */
  snapshotSlice(
    height: Height,
    from: SnapshotCursor | undefined,
    leaves: number,
    valueOf: ValueReader,
  ): SnapshotSlice | undefined {
    const version = this.#versions.at(height);
    if (version === undefined) return undefined;
    const slice = snapshotSlice({ slab: this.slab, roots: rootsIn(version), valueOf }, from, leaves);
    this.#versions.hold(height, slice.next !== undefined);
    return slice;
  }

  /**
   * Compares a key's newest value with the applied state; undefined when they agree. Values of a missing store are
   * not checked, because the block of an upgrade reads its new stores.
   */
  damageOf(store: string, key: Uint8Array, value: Uint8Array | undefined): Damage | undefined {
    const tree = this.#trees.get(store);
    if (tree === undefined) return undefined;
    return damageOf(this.#nodes, leafOf(this.slab, tree.workingRoot, key), key, value);
  }

  /**
   * Applies the block of a software upgrade: adds, renames and deletes stores like the SDK's loader, then applies the
   * block's writes. The new tree of a renamed store gets its keys inserted in order; `writes` must contain all of
   * them, because the application moves the values within that block. Deletions in removed stores need no tree.
   */
  applyUpgrade(upgrades: StoreUpgrades, writes: readonly StateWrite[]): void {
    for (const { from, to } of upgrades.renamed) {
      const tree = this.#add(to);
      const written = new Map(
        writes
          .filter(({ store }) => store === to)
          .map(({ key, value }) => [toOrderedString(key), value ?? new Uint8Array()]),
      );
      for (const key of this.#tree(from).keys()) {
        const value = written.get(toOrderedString(key));
        invariant(value !== undefined, `the block that renames ${from} writes all its keys to ${to}`);
        tree.set(key, this.#crypto.sha256(value));
      }
    }
    for (const name of upgrades.added) this.#add(name);
    const gone = new Set([...upgrades.renamed.map(({ from }) => from), ...upgrades.deleted]);
    for (const name of gone) this.#retire(name);
    this.apply(writes.filter(({ store, value }) => value !== undefined || !gone.has(store)));
  }

  /** Encodes the newest committed version for `restore`, in the newest format unless another is given. */
  snapshotBytes(format?: number): Uint8Array {
    const bytes = this.latest && this.snapshotBytesOf(this.latest.height, format);
    invariant(bytes !== undefined, 'a checkpoint needs a committed height');
    return bytes;
  }

  /** Encodes a committed height for `restore`; undefined when the height is not in memory. */
  snapshotBytesOf(height: Height, format?: number): Uint8Array | undefined {
    const version = this.#versions.at(height);
    if (version === undefined) return undefined;
    const stores = version.roots.map(({ name }) => ({ name, root: rootIn(version, name) }));
    return encodeCheckpoint(this.#crypto, this.slab, { version: Number(height), stores }, format);
  }

  /**
   * Fills an empty multistore from `snapshotBytes`; it then has the checkpoint's stores. Returns the commit.
   * Undefined, with nothing changed, for damaged bytes: the caller then replays from an older checkpoint.
   */
  restore(checkpoint: Uint8Array): Commit | undefined {
    invariant(this.latest === undefined && this.slab.liveNodes === 0, 'only an empty multistore is restored');
    const image = decodeCheckpoint(this.#crypto, this.slab, this.#hasher, checkpoint);
    return image && this.#adopt(toHeight(BigInt(image.version)), image.stores);
  }

  /**
   * Fills an empty multistore from snapshot items: call `add` for each item, then `finish`. Both throw
   * SnapshotRefused, after which the multistore must be discarded.
   */
  restoring(
    height: Height,
    limits: SnapshotLimits,
  ): { readonly add: (item: Item) => void; readonly finish: (appHash: Uint8Array) => Commit } {
    invariant(this.latest === undefined && this.slab.liveNodes === 0, 'only an empty multistore is restored');
    const trees = new SnapshotTrees(this.#nodes, height, limits);
    return { add: (item) => trees.add(item), finish: (appHash) => this.#adopt(height, trees.finish(appHash)) };
  }

  #adopt(height: Height, stores: readonly CheckpointStore[]): Commit {
    this.#setTrees([]);
    for (const { name, root } of stores) this.#add(name).adopt(Number(height), root);
    const roots = stores.map(({ name, root }) => ({ name, root: rootHash(this.slab, root) }));
    return this.#remember(height, roots);
  }

  /**
   * Returns to the commit of `height`, which becomes the newest; undefined, with nothing changed, when the height is
   * not in memory. Requires that there are no uncommitted writes. Stores of later upgrades are removed.
   */
  rollback(height: Height): Commit | undefined {
    const target = this.#versions.at(height);
    if (target === undefined) return undefined;
    const kept = new Set(target.trees.values());
    for (const tree of new Set([...this.#trees.values(), ...this.#retired.keys()])) {
      if (kept.has(tree) || tree.rootOf(Number(height)) !== undefined) tree.rollback(Number(height));
      else tree.dispose();
    }
    this.#versions.dropAbove(height);
    this.#setTrees(target.trees);
    for (const tree of this.#retired.keys())
      if (kept.has(tree) || tree.rootOf(Number(height)) === undefined) this.#retired.delete(tree);
    return target;
  }

  #remember(height: Height, roots: readonly StoreRoot[]): Commit {
    const appHash = appHashOf(this.#crypto, roots, this.#rootTree);
    const version = { height, appHash, roots, trees: this.#trees };
    this.#versions.add(version);
    // Drops two versions per commit: a version that a snapshot held for long has many successors.
    for (let drops = 2; drops > 0; drops -= 1) {
      const oldest = this.#versions.dropOldest();
      if (oldest === undefined) break;
      this.#dropBelow(Number(oldest));
    }
    return version;
  }

  #dropBelow(oldest: number): void {
    for (const tree of this.#trees.values()) tree.dropVersionsBelow(oldest);
    for (const [tree, goneSince] of this.#retired) {
      tree.dropVersionsBelow(oldest);
      if (oldest >= goneSince) this.#retired.delete(tree);
    }
  }

  #setTrees(trees: Iterable<readonly [string, IavlTree]>): void {
    this.#trees = new Map(trees);
    this.#names = [...this.#trees.keys()].toSorted();
  }

  #add(name: string): IavlTree {
    invariant(!this.#trees.has(name), `store ${name} exists already`);
    const tree = new IavlTree(this.slab, this.#hasher);
    this.#setTrees([...this.#trees, [name, tree]]);
    return tree;
  }

  /** Empties and removes a store. */
  #retire(name: string): void {
    const tree = this.#tree(name);
    tree.clear();
    this.#setTrees([...this.#trees].filter(([each]) => each !== name));
    this.#retired.set(tree, Number(this.latest?.height ?? 0n) + 1);
  }

  #tree(store: string): IavlTree {
    const tree = this.#trees.get(store);
    if (tree === undefined) throw new Error(`invariant: no such store: ${store}`);
    return tree;
  }
}

/** Creates the trees of an empty state. */
export function createMultistore(options: MultistoreOptions): Multistore {
  return new Multistore(options);
}
