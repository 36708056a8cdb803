import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { compare } from '../../core/bytes/bytes.js';
import { rangeAfter, type StateEntry, type StateRange } from '../../core/state/state.js';
import { checkNotPruned, versionAt } from './latest.js';
import { latestBounds, latestKey } from './tables.js';
import { UndoPages } from './undo-pages.js';

/** A page of a range: its entries in range direction, and the rest of the range. */
export interface RangePage {
  readonly entries: readonly StateEntry[];
  /** Undefined at the end. An empty page may still have a rest. */
  readonly rest: StateRange | undefined;
}

/**
 * Reads one page of a store at a height: at most `limit` rows of `latest` (including tombstones and keys written
 * later), each resolved to its value at the height. Blocks may be written between pages. Rejects with HeightPruned.
 */
export async function rangeAt(
  store: Pick<KeyValueStore, 'get' | 'range'>,
  name: string,
  height: Height | 'latest',
  options: StateRange & { readonly limit: number },
  pages = new UndoPages(store),
): Promise<RangePage> {
  const { limit, ...range } = options;
  const table = latestBounds(name);
  const bounds = {
    start: range.start === undefined ? table.start : latestKey(name, range.start),
    end: range.end === undefined ? table.end : latestKey(name, range.end),
  };
  if (compare(bounds.start, bounds.end) >= 0) return { entries: [], rest: undefined };
  const rows = await store.range({ ...bounds, reverse: range.reverse === true, limit, mayBeRefused: true });
  checkNotPruned(store, height);
  const entries = rows.flatMap((row) => {
    const value = versionAt(store, pages, row.key, row.value, height);
    return value === undefined ? [] : [{ key: row.key.subarray(table.start.length), value }];
  });
  const last = rows.length < limit ? undefined : rows.at(-1)?.key.subarray(table.start.length);
  return { entries, rest: last === undefined ? undefined : rangeAfter(range, last) };
}
