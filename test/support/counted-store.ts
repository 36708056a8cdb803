import type { KeyValueStore } from '../../src/core/ports/key-value-store.js';

/** A store that counts the rows read from it; `taken` returns the count since its last call. */
export function countedStore(store: KeyValueStore): { readonly store: KeyValueStore; readonly taken: () => number } {
  let rows = 0;
  return {
    store: {
      get(key) {
        rows += 1;
        return store.get(key);
      },
      async range(options) {
        const found = await store.range(options);
        rows += found.length;
        return found;
      },
      commit: (operations, options) => store.commit(operations, options),
      close: () => store.close(),
    },
    taken() {
      const taken = rows;
      rows = 0;
      return taken;
    },
  };
}
