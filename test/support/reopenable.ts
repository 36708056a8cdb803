import type { KeyValueStore } from '../../src/core/ports/key-value-store.js';
import { MemoryStore } from './memory-store.js';

/** A store that survives its closing, as a directory does. */
export function reopenable(store: KeyValueStore = new MemoryStore()): KeyValueStore {
  return {
    get: (key) => store.get(key),
    range: (options) => store.range(options),
    commit: (operations, options) => store.commit(operations, options),
    close: () => Promise.resolve(),
  };
}
