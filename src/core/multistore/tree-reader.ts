import { type NodeId, type NodeSlab, NONE } from '../iavl/node-slab.js';
import { LeafWalk } from '../iavl/walk.js';
import type { StateEntry, StateReader } from '../state/state.js';

/** Reads a value at the version for which the caller uses it. */
export type ValueReader = (store: string, key: Uint8Array) => Uint8Array | undefined;

/**
 * Reads through trees: values through `valueOf`, ranges from the keys in memory. `find` returns the root of a store,
 * or undefined, which reads as empty.
 */
export function readerOver(
  slab: NodeSlab,
  valueOf: ValueReader,
  find: (store: string) => NodeId | undefined,
): StateReader {
  return {
    get: valueOf,
    range(store, range) {
      const found = find(store);
      return found === undefined ? [] : entriesOf(slab, store, new LeafWalk(slab, found, range), valueOf);
    },
  };
}

/** Yields the keys of a walk with their values. */
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
