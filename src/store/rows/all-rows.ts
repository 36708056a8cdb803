import { compare } from '../../core/bytes/bytes.js';
import { keyAfter } from '../../core/bytes/key-order.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValue, KeyValueStore } from '../../core/ports/key-value-store.js';
import { PREFIX } from '../keys.js';

/** Keys from `start` to before `end`. */
export interface KeyBounds {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
}

/** Tables with large rows. */
const LARGE = [PREFIX.anchor, PREFIX.checkpoint];

/** Bounds and limit of the first page within bounds: `limit` rows, or one row in a table with large rows. */
export function pageOf({ start, end }: KeyBounds, limit: number): KeyBounds & { readonly limit: number } {
  for (const prefix of LARGE) {
    const [first, behind] = [Uint8Array.of(prefix), Uint8Array.of(prefix + 1)];
    if (compare(start, behind) >= 0 || compare(first, end) >= 0) continue;
    if (compare(start, first) < 0) return { start, end: first, limit };
    return { start, end: compare(behind, end) < 0 ? behind : end, limit: 1 };
  }
  return { start, end, limit };
}

/** Reads all rows from key `start` to before `end`, in key order, in pages of bounded size. */
export async function allRows(
  store: Pick<KeyValueStore, 'range'>,
  start: Uint8Array,
  end: Uint8Array,
): Promise<readonly KeyValue[]> {
  const limit = FIXED_LIMITS.rowsPerRead;
  const found: KeyValue[] = [];
  for (let from = start; ;) {
    const rows = await store.range({ start: from, end, limit });
    for (const row of rows) found.push(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return found;
    from = keyAfter(last.key);
  }
}

/** Deletes all rows from key `start` to before `end`, in batches of bounded size. */
export async function removeRows(
  store: Pick<KeyValueStore, 'range' | 'commit'>,
  start: Uint8Array,
  end: Uint8Array,
): Promise<void> {
  for (;;) {
    const rows = await store.range({ start, end, limit: FIXED_LIMITS.rowsPerRead });
    if (rows.length === 0) return;
    await store.commit(
      rows.map(({ key }) => ({ type: 'delete', key })),
      { sync: false },
    );
  }
}
