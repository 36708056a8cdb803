import { toBinary } from '@bufbuild/protobuf';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Sha256 } from '../comet/merkle.js';
import { RepeatedTree } from '../comet/repeated-tree.js';
import { type DomainError, invariant } from '../errors.js';
import { createNodeHasher, rootHash } from '../iavl/node-hash.js';
import { type NodeId, NodeSlab, NONE } from '../iavl/node-slab.js';
import { proveKey } from '../iavl/proof.js';
import { IavlTree } from '../iavl/tree.js';
import { leafOf, LeafWalk } from '../iavl/walk.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../limits/limits.js';
import { type Height, toHeight } from '../primitives.js';
import { CommitmentProofSchema } from '../proto/cosmos/ics23/v1/proofs_pb.js';
import { toOrderedString } from '../bytes/key-order.js';
import type { StateEntry, StateReader, StateWrite } from '../state/state.js';
import { type Checked, checkValues, type Damage, damageOf, type StoreKey } from './check-values.js';
import { type CheckpointStore, decodeCheckpoint, encodeCheckpoint } from './checkpoint.js';
import { appHashOf, proveStore, type StoreRoot } from './commit-info.js';
import type { Item } from './snapshot-items.js';
import { type SnapshotPlace, type SnapshotSlice, snapshotSlice } from './snapshot-slice.js';
import { type SnapshotLimits, SnapshotTrees } from './snapshot-trees.js';
import type { StoreUpgrades } from './store-upgrades.js';

/** Reads a value at the version for which the caller uses it. */
export type ValueReader = (store: string, key: Uint8Array) => Uint8Array | undefined;

export interface MultistoreOptions {
  /** Names of the stores under the app hash, in any order. */
  readonly stores: readonly string[];
  readonly crypto: Sha256;
  /** Number of versions that stay readable and provable; `provableHeights` of the limits by default. */
  readonly provableHeights?: number;
}

export interface Commit {
  readonly height: Height;
  /** 32 bytes; the header of the next height contains it. */
  readonly appHash: Uint8Array;
  /** Root of every store, sorted by store name. */
  readonly roots: readonly StoreRoot[];
}

/** One link of `abci_query`'s `proofOps`, from the key up to the app hash. */
export interface ProofOp {
  readonly type: 'ics23:iavl' | 'ics23:simple';
  readonly key: Uint8Array;
  /** Encoded `cosmos.ics23.v1.CommitmentProof`. */
  readonly data: Uint8Array;
}

export type Proved =
  | { readonly ok: true; readonly ops: readonly ProofOp[] }
  | { readonly ok: false; readonly error: DomainError };

/** A commit with its tree nodes. */
interface Version extends Commit {
  readonly trees: ReadonlyMap<string, IavlTree>;
}

/** The IAVL trees of all stores, and the app hash over them. Holds keys and hashes; values are in the database. */
export class Multistore {
  readonly slab = new NodeSlab();
  readonly #crypto: Sha256;
  readonly #provableHeights: number;
  /** Over the roots of the stores. */
  readonly #rootTree: RepeatedTree;
  readonly #hasher = createNodeHasher(this.slab, (data) => this.#crypto.sha256(data));
  /** The map is replaced, never changed: the versions share it. */
  #trees: ReadonlyMap<string, IavlTree> = new Map();
  #names: readonly string[] = [];
  readonly #versions: Version[] = [];
  /** Heights of snapshots that are being taken; the trees from there on stay. */
  readonly #held = new Set<Height>();
  /** Trees of deleted stores with the first version without them, kept while an older version is provable. */
  readonly #retired = new Map<IavlTree, number>();

  constructor(options: MultistoreOptions) {
    this.#crypto = options.crypto;
    this.#rootTree = new RepeatedTree(options.crypto);
    this.#provableHeights = options.provableHeights ?? DEFAULT_LIMITS.provableHeights;
    invariant(this.#provableHeights >= 1, 'at least one height is provable');
    this.#setTrees(options.stores.map((name) => [name, new IavlTree(this.slab, this.#hasher)]));
  }

  /** Names of the current stores, sorted. */
  get stores(): readonly string[] {
    return this.#names;
  }

  /** The newest commit; undefined before the first. */
  get latest(): Commit | undefined {
    return this.#versions.at(-1);
  }

  /** The commit of a height; undefined when it is not committed or not provable any more. */
  commitOf(height: Height): Commit | undefined {
    return this.#versions.find((version) => version.height === height);
  }

  /**
   * Applies writes in their order, on which the shape of the trees depends: the SDK flushes a block's writes by store
   * and then by key.
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
   * Reads the applied state: values through `valueOf`, ranges from the keys in memory. A range ends at the next
   * `apply`. A store that does not exist is empty, because the block of an upgrade reads its new stores.
   */
  reader(valueOf: ValueReader): StateReader {
    return readerOver(this.slab, valueOf, (store) => this.#trees.get(store)?.workingRoot);
  }

  /**
   * A reader of the state after a committed height, in which a store that did not exist is empty; undefined when that
   * height is not in memory.
   */
  readerAt(height: Height, valueOf: ValueReader): StateReader | undefined {
    const version = this.#versions.find((each) => each.height === height);
    return version && readerOver(this.slab, valueOf, (store) => version.trees.get(store)?.rootOf(Number(height)));
  }

  /**
   * Proves presence or absence of a key under the app hash of `height`, as `abci_query /store/<name>/key` does: an
   * `ics23:iavl` and an `ics23:simple` link. `valueOf` reads values as of that height. Errors: height-in-future,
   * state-pruned, bad-query (unknown store).
   */
  prove(store: string, key: Uint8Array, height: Height, valueOf: ValueReader): Proved {
    const version = this.#versions.find((each) => each.height === height);
    if (version === undefined) return { ok: false, error: this.#notProvable(height) };
    if (!version.trees.has(store))
      return { ok: false, error: { code: 'bad-query', message: `no such store: ${store}` } };
    const inStore = proveKey(this.slab, rootIn(version, store).root, key, (each) => valueOf(store, each));
    const ofStore = proveStore(this.#crypto, version.roots, store);
    return {
      ok: true,
      ops: [
        { type: 'ics23:iavl', key, data: toBinary(CommitmentProofSchema, inStore) },
        { type: 'ics23:simple', key: utf8ToBytes(store), data: toBinary(CommitmentProofSchema, ofStore) },
      ],
    };
  }

  /**
   * Compares the values of up to `count` keys, from `from` on in order of store and key, with the trees of a committed
   * height; `valueOf` reads values as of that height. Undefined when the height is not in memory.
   */
  checkValues(height: Height, from: StoreKey | undefined, count: number, valueOf: ValueReader): Checked | undefined {
    const version = this.#versions.find((each) => each.height === height);
    if (version === undefined) return undefined;
    const roots = version.roots.map(({ name }) => ({ store: name, root: rootIn(version, name).root }));
    return checkValues({ slab: this.slab, hasher: this.#hasher, crypto: this.#crypto, roots }, from, count, valueOf);
  }

  /**
   * A slice of the snapshot of a committed height, of about so many leaves from `from` on; `valueOf` reads values as of
   * that height. Undefined when the height is not in memory.
   */
  snapshotSlice(
    height: Height,
    from: SnapshotPlace | undefined,
    leaves: number,
    valueOf: ValueReader,
  ): SnapshotSlice | undefined {
    const version = this.#versions.find((each) => each.height === height);
    if (version === undefined) return undefined;
    const roots = version.roots.map(({ name }) => ({ store: name, root: rootIn(version, name).root }));
    const slice = snapshotSlice({ slab: this.slab, roots, valueOf }, from, leaves);
    if (slice.next === undefined) this.#held.delete(height);
    else this.#held.add(height);
    return slice;
  }

  /**
   * Compares the newest value of a key with the applied state; undefined when they agree. A store that does not exist
   * has no witness: the block of an upgrade reads its new stores.
   */
  damageOf(store: string, key: Uint8Array, value: Uint8Array | undefined): Damage | undefined {
    const tree = this.#trees.get(store);
    if (tree === undefined) return undefined;
    const nodes = { slab: this.slab, hasher: this.#hasher, crypto: this.#crypto };
    return damageOf(nodes, leafOf(this.slab, tree.workingRoot, key), key, value);
  }

  /**
   * Applies the block of a software upgrade: stores are added, renamed and deleted, as the SDK does when it loads, and
   * then the block's writes are applied. The new tree of a renamed store begins with its keys inserted in order;
   * `writes` must contain all of them, because the application moves the values within that block. Deletions in removed
   * stores need no tree.
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

  /** The newest committed version as bytes for `restore`, of the newest format unless another is named. */
  snapshotBytes(format?: number): Uint8Array {
    const bytes = this.latest && this.snapshotBytesOf(this.latest.height, format);
    invariant(bytes !== undefined, 'a checkpoint needs a committed height');
    return bytes;
  }

  /** A committed height as bytes for `restore`; undefined when it is not in memory. */
  snapshotBytesOf(height: Height, format?: number): Uint8Array | undefined {
    const version = this.#versions.find((each) => each.height === height);
    if (version === undefined) return undefined;
    const stores = version.roots.map(({ name }) => ({ name, root: rootIn(version, name).root }));
    return encodeCheckpoint(this.#crypto, this.slab, { version: Number(height), stores }, format);
  }

  /**
   * Fills a multistore without commits from `snapshotBytes`; its stores are then those of the checkpoint. Returns the
   * commit; undefined, with nothing changed, for damaged bytes: the caller then replays from an older checkpoint.
   */
  restore(checkpoint: Uint8Array): Commit | undefined {
    invariant(this.#versions.length === 0 && this.slab.liveNodes === 0, 'only an empty multistore is restored');
    const image = decodeCheckpoint(this.#crypto, this.slab, this.#hasher, checkpoint);
    return image && this.#adopt(toHeight(BigInt(image.version)), image.stores);
  }

  /**
   * Fills a multistore without commits from the items of a snapshot, of which each is added, then `finish` called. Both
   * throw SnapshotRefused, and the multistore is then of no use.
   */
  restoring(
    height: Height,
    limits: SnapshotLimits,
  ): { readonly add: (item: Item) => void; readonly finish: (appHash: Uint8Array) => Commit } {
    invariant(this.#versions.length === 0 && this.slab.liveNodes === 0, 'only an empty multistore is restored');
    const nodes = { slab: this.slab, hasher: this.#hasher, crypto: this.#crypto };
    const trees = new SnapshotTrees(nodes, height, limits);
    return { add: (item) => trees.add(item), finish: (appHash) => this.#adopt(height, trees.finish(appHash)) };
  }

  #adopt(height: Height, stores: readonly CheckpointStore[]): Commit {
    this.#setTrees([]);
    for (const { name, root } of stores) this.#add(name).adopt(Number(height), root);
    const roots = stores.map(({ name, root }) => ({ name, root: rootHash(this.slab, root) }));
    return this.#remember(height, roots);
  }

  /**
   * Returns to the commit of `height`, which is then the newest; undefined, with nothing changed, when that height is
   * not in memory. There must be no uncommitted writes. Stores of a later upgrade are removed again.
   */
  rollback(height: Height): Commit | undefined {
    const at = this.#versions.findIndex((each) => each.height === height);
    const target = this.#versions[at];
    if (target === undefined) return undefined;
    const kept = new Set(target.trees.values());
    for (const tree of new Set([...this.#trees.values(), ...this.#retired.keys()])) {
      if (kept.has(tree) || tree.rootOf(Number(height)) !== undefined) tree.rollback(Number(height));
      else tree.dispose();
    }
    for (const { height: gone } of this.#versions.splice(at + 1)) this.#held.delete(gone);
    this.#setTrees(target.trees);
    for (const tree of this.#retired.keys())
      if (kept.has(tree) || tree.rootOf(Number(height)) === undefined) this.#retired.delete(tree);
    return target;
  }

  #remember(height: Height, roots: readonly StoreRoot[]): Commit {
    const appHash = appHashOf(this.#crypto, roots, this.#rootTree);
    const version = { height, appHash, roots, trees: this.#trees };
    this.#versions.push(version);
    // One after the other, because one that was held long is followed by many.
    for (let drops = 2; drops > 0 && this.#mayDropOldest(); drops -= 1) this.#dropOldest();
    return version;
  }

  #mayDropOldest(): boolean {
    const more = this.#versions.length - this.#provableHeights;
    const oldest = this.#versions[0]?.height;
    return more > (oldest !== undefined && this.#held.has(oldest) ? FIXED_LIMITS.snapshotHeights : 0);
  }

  #dropOldest(): void {
    const dropped = this.#versions.shift();
    if (dropped !== undefined) this.#held.delete(dropped.height);
    const oldest = Number(this.#versions[0]?.height);
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

  /** Empties a store and removes it. */
  #retire(name: string): void {
    const tree = this.#tree(name);
    tree.clear();
    this.#setTrees([...this.#trees].filter(([each]) => each !== name));
    this.#retired.set(tree, Number(this.latest?.height ?? 0n) + 1);
  }

  #notProvable(height: Height): DomainError {
    const head = this.latest?.height ?? toHeight(0n);
    if (height > head) return { code: 'height-in-future', height, head };
    return { code: 'state-pruned', height, lowest: this.#versions[0]?.height ?? head };
  }

  #tree(store: string): IavlTree {
    const tree = this.#trees.get(store);
    if (tree === undefined) throw new Error(`invariant: no such store: ${store}`);
    return tree;
  }
}

/** Makes the trees of an empty state. */
export function createMultistore(options: MultistoreOptions): Multistore {
  return new Multistore(options);
}

function rootIn(version: Version, store: string): { readonly tree: IavlTree; readonly root: NodeId } {
  const tree = version.trees.get(store);
  const root = tree?.rootOf(Number(version.height));
  if (tree === undefined || root === undefined) throw new Error(`invariant: no such store: ${store}`);
  return { tree, root };
}

/** The values of the keys of a walk. */
function entriesOf(slab: NodeSlab, store: string, walk: LeafWalk, valueOf: ValueReader): Iterable<StateEntry> {
  const next = (): IteratorResult<StateEntry, undefined> => {
    const leaf = walk.next();
    if (leaf === NONE) return { done: true, value: undefined };
    const key = slab.keys.view(slab.key(leaf)).slice();
    const value = valueOf(store, key);
    if (value === undefined) throw new Error(`invariant: store ${store} holds a key whose value cannot be read`);
    return { done: false, value: { key, value } };
  };
  return { [Symbol.iterator]: () => ({ next }) };
}

function readerOver(slab: NodeSlab, valueOf: ValueReader, find: (store: string) => NodeId | undefined): StateReader {
  return {
    get: valueOf,
    range(store, range) {
      const found = find(store);
      return found === undefined ? [] : entriesOf(slab, store, new LeafWalk(slab, found, range), valueOf);
    },
  };
}
