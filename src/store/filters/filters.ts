import type { Filter } from '../../core/filters/index.js';
import { bytesOfDigits, hex } from '../../core/bytes/hex.js';
import { invariant } from '../../core/errors.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, toPosition, toTimeNs } from '../../core/primitives.js';
import { concat } from '../../core/bytes/bytes.js';
import { allRows } from '../rows/all-rows.js';
import { ByteWriter, FormatError } from '../bytes.js';
import { PREFIX } from '../keys.js';
import { readRow } from '../rows/read-row.js';
import { decodeCriteria, encodeCriteria } from './criteria-codec.js';

const ROW_VERSION = 1;

/**
 * The row of a polling filter of the Ethereum API. Rows are written with FilterCreated, deleted with FilterRemoved, and
 * updated in place when a poll moves the cursor or the deadline; therefore a restart need not read the log for filters.
 */
export function filterRow({ id, criteria, height, position, deadline }: Filter): StoreOperation {
  const value = new ByteWriter();
  value.byte(ROW_VERSION);
  value.uint(height);
  value.uint(position);
  value.int(deadline);
  encodeCriteria(criteria, value);
  return { type: 'put', key: filterKey(id), value: value.finish() };
}

/** Deletes the row of a filter. */
export function deleteFilterRow(id: string): StoreOperation {
  return { type: 'delete', key: filterKey(id) };
}

/** All filters in order of their ids. Throws CorruptionError. */
export async function readFilters(store: Pick<KeyValueStore, 'range'>): Promise<readonly Filter[]> {
  const rows = await allRows(store, Uint8Array.of(PREFIX.filter), Uint8Array.of(PREFIX.filter + 1));
  return rows.map(({ key, value }) => decodeRow(key, value));
}

/** The filter with this id; undefined when it has no row. Throws CorruptionError. */
export function readFilter(store: Pick<KeyValueStore, 'get'>, id: string): Filter | undefined {
  const key = filterKey(id);
  const value = store.get(key);
  return value && decodeRow(key, value);
}

function decodeRow(key: Uint8Array, value: Uint8Array): Filter {
  return readRow(
    'filter row',
    value,
    (reader) => {
      if (reader.byte() !== ROW_VERSION) throw new FormatError('unknown version');
      const height = toHeight(reader.uint());
      const position = toPosition(reader.uint());
      const deadline = toTimeNs(reader.int());
      return { id: hex(key.subarray(1)), criteria: decodeCriteria(reader), height, position, deadline };
    },
    key,
  );
}

function filterKey(id: string): Uint8Array {
  const bytes = bytesOfDigits(id);
  invariant(bytes !== undefined, 'the id of a filter is hex');
  return concat(Uint8Array.of(PREFIX.filter), bytes);
}
