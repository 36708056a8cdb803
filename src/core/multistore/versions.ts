/** Commits that stay in memory with their trees. */
import type { DomainError } from '../errors.js';
import { invariant } from '../errors.js';
import type { NodeId } from '../iavl/node-slab.js';
import type { IavlTree } from '../iavl/tree.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { type Height, toHeight } from '../primitives.js';
import type { StoreRoot } from './commit-info.js';

export interface Commit {
  readonly height: Height;
  /** App hash, 32 bytes; the next header contains it. */
  readonly appHash: Uint8Array;
  /** Roots of all stores, sorted by store name. */
  readonly roots: readonly StoreRoot[];
}

/** A commit with its tree nodes. */
export interface Version extends Commit {
  readonly trees: ReadonlyMap<string, IavlTree>;
}

/** Versions in ascending height: the newest ones, and all from the oldest snapshot in progress on. */
export class Versions {
  readonly #provableHeights: number;
  readonly #versions: Version[] = [];
  /** Heights of snapshots in progress; versions from there on stay. */
  readonly #held = new Set<Height>();

  /** `provableHeights`: number of versions to keep. */
  constructor(provableHeights: number) {
    invariant(provableHeights >= 1, 'at least one height is provable');
    this.#provableHeights = provableHeights;
  }

  /** Newest version; undefined before the first. */
  get latest(): Version | undefined {
    return this.#versions.at(-1);
  }

  /** Version of a height; undefined when it is not committed or no longer in memory. */
  at(height: Height): Version | undefined {
    return this.#versions.find((version) => version.height === height);
  }

  add(version: Version): void {
    this.#versions.push(version);
  }

  /** Records that a snapshot of a height begins (`isHeld`) or ends. */
  hold(height: Height, isHeld: boolean): void {
    if (isHeld) this.#held.add(height);
    else this.#held.delete(height);
  }

  /** Drops the oldest version when there is one too many; returns the oldest height that is left. */
  dropOldest(): Height | undefined {
    const [oldest, next] = this.#versions;
    if (oldest === undefined || next === undefined) return undefined;
    const spare = this.#held.has(oldest.height) ? FIXED_LIMITS.snapshotHeights : 0;
    if (this.#versions.length - this.#provableHeights <= spare) return undefined;
    this.#versions.shift();
    this.#held.delete(oldest.height);
    return next.height;
  }

  /** Drops the versions above a height. */
  dropAbove(height: Height): void {
    const above = this.#versions.findIndex((version) => version.height > height);
    if (above < 0) return;
    for (const { height: gone } of this.#versions.splice(above)) this.#held.delete(gone);
  }

  /** Error for a height without a version here: height-in-future or state-pruned. */
  notProvable(height: Height): DomainError {
    const head = this.latest?.height ?? toHeight(0n);
    if (height > head) return { code: 'height-in-future', height, head };
    return { code: 'state-pruned', height, lowest: this.#versions[0]?.height ?? head };
  }
}

/** Root of a store's tree in a version that has the store. */
export function rootIn(version: Version, store: string): NodeId {
  const root = version.trees.get(store)?.rootOf(Number(version.height));
  if (root === undefined) throw new Error(`invariant: no such store: ${store}`);
  return root;
}

/** Roots of all trees of a version, by store. */
export function rootsIn(version: Version): readonly { readonly store: string; readonly root: NodeId }[] {
  return version.roots.map(({ name }) => ({ store: name, root: rootIn(version, name) }));
}
