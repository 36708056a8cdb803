import { toOrderedString } from '../core/bytes/key-order.js';
import { FIXED_LIMITS } from '../core/limits.js';
import type { KeyValueStore, StoreOperation } from '../core/ports/key-value-store.js';

/**
 * The same store, whose commits gather in memory and are written in large unsynced batches: for a database that is
 * worth nothing before it is complete. Reads see everything that was committed. `flush` writes the rest.
 */
export function writeBehind(store: KeyValueStore): KeyValueStore & { flush(): Promise<void> } {
  let waiting = new Map<string, StoreOperation>();
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (waiting.size === 0) return;
    const operations = [...waiting.values()];
    waiting = new Map();
    bytes = 0;
    await store.commit(operations, { sync: false });
  };
  return {
    get(key) {
      const operation = waiting.get(toOrderedString(key));
      if (operation === undefined) return store.get(key);
      return operation.type === 'put' ? operation.value : undefined;
    },
    async range(options) {
      await flush();
      return store.range(options);
    },
    async commit(operations) {
      for (const operation of operations) {
        waiting.set(toOrderedString(operation.key), operation);
        bytes += operation.key.length + (operation.type === 'put' ? operation.value.length : 0);
      }
      if (bytes >= FIXED_LIMITS.writeBehindBytes) await flush();
    },
    flush,
    async close() {
      await flush();
      await store.close();
    },
  };
}
