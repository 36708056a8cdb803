import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { compare } from '../../core/bytes/bytes.js';
import { PREFIX, recordsEnd } from '../keys.js';

/**
 * A database that is made from a log whose records stay where they are: rows of records are read from `source`, and not
 * written. A range lies among the records or holds none of them.
 */
export function recordsElsewhere(store: KeyValueStore, source: Pick<KeyValueStore, 'get' | 'range'>): KeyValueStore {
  return {
    get: (key) => (isOfRecord(key) ? source : store).get(key),
    range: (options) =>
      (isOfRecord(options.start) && compare(options.end, endOf(options.start)) <= 0 ? source : store).range(options),
    commit: (operations, options) =>
      store.commit(
        operations.filter(({ key }) => !isOfRecord(key)),
        options,
      ),
    close: () => store.close(),
  };
}

/** True for rows of records, and of the snapshot of an anchor. */
function isOfRecord(key: Uint8Array): boolean {
  return key[0] === PREFIX.record || key[0] === PREFIX.anchor;
}

function endOf(key: Uint8Array): Uint8Array {
  return key[0] === PREFIX.record ? recordsEnd() : Uint8Array.of(PREFIX.anchor + 1);
}
