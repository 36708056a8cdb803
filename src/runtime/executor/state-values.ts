import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { bytesToRestore } from '../../store/checkpoints/checkpoints.js';
import { createStateReader } from '../../store/state/latest.js';
import type { StateValues } from './executor-core.js';

/** Creates `StateValues` over the state tables of a database. */
export function stateValues(store: Pick<KeyValueStore, 'get'>): StateValues {
  const latest = createStateReader(store, 'latest');
  return {
    latest: (name, key) => latest.get(name, key),
    checkpoint: (height) => bytesToRestore(store, height),
    at: (height) => {
      const reader = createStateReader(store, height);
      return (name, key) => reader.get(name, key);
    },
  };
}
