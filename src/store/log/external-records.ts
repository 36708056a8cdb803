import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { compare } from '../../core/bytes/bytes.js';
import { PREFIX, recordsEnd } from '../keys.js';

/**
 * Wraps a database that is derived from a log: rows of records are read from `source` and never written here. A range
 * must lie entirely inside or entirely outside the records.
 */
export function withExternalRecords(store: KeyValueStore, source: Pick<KeyValueStore, 'get' | 'range'>): KeyValueStore {
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

/** True for record rows and snapshot parts of anchors. */
function isOfRecord(key: Uint8Array): boolean {
  return key[0] === PREFIX.record || key[0] === PREFIX.anchor;
}

function endOf(key: Uint8Array): Uint8Array {
  return key[0] === PREFIX.record ? recordsEnd() : Uint8Array.of(PREFIX.anchor + 1);
}
