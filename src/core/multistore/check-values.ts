import type { Sha256 } from '../comet/merkle.js';
import { equal } from '../bytes/bytes.js';
import { keyAfter } from '../bytes/key-order.js';
import type { NodeHasher } from '../iavl/node-hash.js';
import type { NodeId, NodeSlab } from '../iavl/node-slab.js';
import { leavesInRange } from '../iavl/walk.js';

/** A key of a store. */
export interface StoreKey {
  readonly store: string;
  readonly key: Uint8Array;
}

/**
 * Outcome of a comparison of values with the leaves of the trees. `next` is the key from which to go on; undefined at
 * the end.
 */
export type Checked =
  | { readonly kind: 'sound'; readonly next: StoreKey | undefined }
  | { readonly kind: 'damaged'; readonly at: StoreKey; readonly isMissing: boolean };

export interface CheckedTrees {
  readonly slab: NodeSlab;
  readonly hasher: NodeHasher;
  readonly crypto: Sha256;
  /** Roots of the stores, sorted by store name. */
  readonly roots: readonly { readonly store: string; readonly root: NodeId }[];
}

/**
 * Compares the values of up to `count` keys from `from` on with the hashes in the leaves: every value stands under the
 * app hash, so that a lost or changed one is found without a second copy.
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
      const value = valueOf(store, key);
      if (value === undefined) return { kind: 'damaged', at: { store, key }, isMissing: true };
      if (!equal(hasher.leaf(slab.version(leaf), key, crypto.sha256(value)), slab.hash(leaf)))
        return { kind: 'damaged', at: { store, key }, isMissing: false };
      last = { store, key };
      left -= 1;
    }
  }
  return { kind: 'sound', next: undefined };
}
