import type { Sha256 } from '../comet/merkle.js';
import { EMPTY, equal } from '../bytes/bytes.js';
import { keyAfter } from '../bytes/key-order.js';
import type { NodeHasher } from '../iavl/node-hash.js';
import { NONE, UNSAVED, type NodeId, type NodeSlab } from '../iavl/node-slab.js';
import { leavesInRange } from '../iavl/walk.js';

export interface StoreKey {
  readonly store: string;
  readonly key: Uint8Array;
}

/** The first possible key: a comparison of all values starts here. */
export const FIRST_KEY: StoreKey = { store: '', key: EMPTY };

/** Fault of a value against its leaf: missing, different, or unknown because the tree does not have its key. */
export type Damage = 'missing' | 'different' | 'unknown';

/** Result of comparing values with leaves. `next` is the key to continue from; undefined at the end. */
export type Checked =
  | { readonly kind: 'sound'; readonly next: StoreKey | undefined }
  | { readonly kind: 'damaged'; readonly at: StoreKey; readonly damage: Damage };

/** Tree nodes, and the crypto that hashes them. */
export interface HashedNodes {
  readonly slab: NodeSlab;
  readonly hasher: NodeHasher;
  readonly crypto: Sha256;
}

export interface CheckedTrees extends HashedNodes {
  /** Roots of the stores, sorted by store name. */
  readonly roots: readonly { readonly store: string; readonly root: NodeId }[];
}

/**
 * Compares the values of up to `count` keys, starting at `from`, with the hashes in the leaves. The app hash covers
 * every value, so lost or changed values are found without a second copy.
 */
export function checkValues(
  { slab, hasher, crypto, roots }: CheckedTrees,
  from: StoreKey | undefined,
  count: number,
  valueOf: (store: string, key: Uint8Array) => Uint8Array | undefined,
): Checked {
  let left = count;
  let last: StoreKey | undefined;
  for (const { store, root } of roots) {
    if (from !== undefined && store < from.store) continue;
    for (const leaf of leavesInRange(slab, root, from?.store === store ? { start: from.key } : {})) {
      if (left === 0 && last !== undefined) return { kind: 'sound', next: { ...last, key: keyAfter(last.key) } };
      const key = slab.keys.view(slab.key(leaf)).slice();
      const damage = damageOf({ slab, hasher, crypto }, leaf, key, valueOf(store, key));
      if (damage !== undefined) return { kind: 'damaged', at: { store, key }, damage };
      last = { store, key };
      left -= 1;
    }
  }
  return { kind: 'sound', next: undefined };
}

/** Compares a value with the leaf of its key (`NONE`: the tree does not have the key); undefined when they agree. */
export function damageOf(
  { slab, hasher, crypto }: HashedNodes,
  leaf: NodeId,
  key: Uint8Array,
  value: Uint8Array | undefined,
): Damage | undefined {
  if (leaf === NONE) return value === undefined ? undefined : 'unknown';
  if (value === undefined) return 'missing';
  const valueHash = crypto.sha256(value);
  const version = slab.version(leaf);
  // A leaf that is not saved yet holds the hash of its value.
  const hash = version === UNSAVED ? valueHash : hasher.leaf(version, key, valueHash);
  return equal(hash, slab.hash(leaf)) ? undefined : 'different';
}
