/** The commits that stay in memory with their trees. */
import type { DomainError } from '../errors.js';
import { invariant } from '../errors.js';
import type { NodeId } from '../iavl/node-slab.js';
import type { IavlTree } from '../iavl/tree.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { type Height, toHeight } from '../primitives.js';
import type { StoreRoot } from './commit-info.js';

export interface Commit {
  readonly height: Height;
  /** 32 bytes; the header of the next height contains it. */
  readonly appHash: Uint8Array;
  /** Root of every store, sorted by store name. */
  readonly roots: readonly StoreRoot[];
}

/** A commit with its tree nodes. */
export interface Version extends Commit {
  readonly trees: ReadonlyMap<string, IavlTree>;
}

/** Versions by ascending height: the newest ones, and those from a snapshot on that is being taken. */
export class Versions {
  readonly #provableHeights: number;
  readonly #versions: Version[] = [];
  /** Heights of snapshots that are being taken; the versions from there on stay. */
  readonly #held = new Set<Height>();

  /** `provableHeights`: number of versions that stay. */
  constructor(provableHeights: number) {
    invariant(provableHeights >= 1, 'at least one height is provable');
    this.#provableHeights = provableHeights;
  }

  /** The newest version; undefined before the first. */
  get latest(): Version | undefined {
    return this.#versions.at(-1);
  }

  /** The version of a height; undefined when it is not committed or not in memory any more. */
  at(height: Height): Version | undefined {
    return this.#versions.find((version) => version.height === height);
  }

  add(version: Version): void {
    this.#versions.push(version);
  }

  /** A snapshot of a height is being taken, or ended. */
  hold(height: Height, isHeld: boolean): void {
    if (isHeld) this.#held.add(height);
    else this.#held.delete(height);
  }

  /** Drops the oldest version where there is one too many, and returns the height of the oldest that is left. */
  dropOldest(): Height | undefined {
    const [oldest, next] = this.#versions;
    if (oldest === undefined || next === undefined) return undefined;
    const spare = this.#held.has(oldest.height) ? FIXED_LIMITS.snapshotHeights : 0;
    if (this.#versions.length - this.#provableHeights <= spare) return undefined;
    this.#versions.shift();
    this.#held.delete(oldest.height);
    return next.height;
  }

  /** Drops the versions above the one of a height. */
  dropAbove(height: Height): void {
    const above = this.#versions.findIndex((version) => version.height > height);
    if (above < 0) return;
    for (const { height: gone } of this.#versions.splice(above)) this.#held.delete(gone);
  }

  /** The error for a height that has no version here. */
  notProvable(height: Height): DomainError {
    const head = this.latest?.height ?? toHeight(0n);
    if (height > head) return { code: 'height-in-future', height, head };
    return { code: 'state-pruned', height, lowest: this.#versions[0]?.height ?? head };
  }
}

/** The root of a store's tree in a version that has the store. */
export function rootIn(version: Version, store: string): NodeId {
  const root = version.trees.get(store)?.rootOf(Number(version.height));
  if (root === undefined) throw new Error(`invariant: no such store: ${store}`);
  return root;
}

/** The roots of all trees of a version, by their stores. */
export function rootsIn(version: Version): readonly { readonly store: string; readonly root: NodeId }[] {
  return version.roots.map(({ name }) => ({ store: name, root: rootIn(version, name) }));
}
