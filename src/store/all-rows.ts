import { keyAfter } from '../core/bytes/key-order.js';
import { FIXED_LIMITS } from '../core/limits/limits.js';
import type { KeyValue, KeyValueStore } from '../core/ports/key-value-store.js';

/** All rows from the key `start` to before `end`, in order of their keys, read in pages of bounded size. */
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

/** Deletes all rows from the key `start` to before `end`, in batches of bounded size. */
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
