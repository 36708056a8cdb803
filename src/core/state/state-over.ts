import { CacheStore, EMPTY_STATE } from './overlay.js';
import type { StateReader, StateWrite } from './state.js';

/** Returns a function that puts writes over a state. The writes are sorted once for all states it is called with. */
export function stateOver(writes: readonly StateWrite[]): (below: StateReader) => StateReader {
  let state = EMPTY_STATE;
  const changes = new CacheStore({
    get: (store, key) => state.get(store, key),
    range: (store, range) => state.range(store, range),
  });
  for (const { store, key, value } of writes) {
    if (value === undefined) changes.delete(store, key);
    else changes.set(store, key, value);
  }
  return (below) => {
    state = below;
    return { get: (store, key) => changes.get(store, key), range: (store, range) => changes.range(store, range) };
  };
}
