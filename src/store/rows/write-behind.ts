import { toOrderedString } from '../../core/bytes/key-order.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import type { RowSums } from './row-sums.js';

/** A store whose commits are buffered in memory. */
export interface WriteBehind extends KeyValueStore {
  /** Writes the buffered operations. */
  flush(): Promise<void>;
}

/**
 * Buffers commits in memory and writes them in large unsynced batches, for a database that is useless until it is
 * complete. Reads of keys for which `isRead` is true see all commits, and only the last value of such a key is written;
 * other keys are readable after a `flush`. `range` flushes. Rows that `sums` accepts are not written.
 */
export function writeBehind(store: KeyValueStore, isRead: (key: Uint8Array) => boolean, sums?: RowSums): WriteBehind {
  let once: StoreOperation[] = [];
  let waiting = new Map<string, StoreOperation>();
  /** The previous batch, kept because its rows are likely to be read again. */
  let written = new Map<string, StoreOperation>();
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (bytes === 0) return;
    for (const operation of waiting.values()) once.push(operation);
    const operations = once;
    written = waiting;
    once = [];
    waiting = new Map();
    bytes = 0;
    await store.commit(operations, { sync: false });
  };
  return {
    get(key) {
      if (!isRead(key)) return store.get(key);
      const name = toOrderedString(key);
      const operation = waiting.get(name) ?? written.get(name);
      if (operation === undefined) return store.get(key);
      return operation.type === 'put' ? operation.value : undefined;
    },
    async range(options) {
      await flush();
      return store.range(options);
    },
    async commit(operations, { before = [] }) {
      for (const operation of [...before, ...operations]) {
        if (operation.type === 'put' && sums?.add(operation.key, operation.value) === true) continue;
        if (isRead(operation.key)) waiting.set(toOrderedString(operation.key), operation);
        else once.push(operation);
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
