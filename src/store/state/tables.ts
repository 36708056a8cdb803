/** Keys of the state's tables: the numbers from PREFIX.state on (docs/decisions/0001-log-record.md). */
import { concat, text, utf8 } from '../../core/bytes/bytes.js';
import { invariant } from '../../core/errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Height } from '../../core/primitives.js';
import { prefixEnd } from '../../core/bytes/key-order.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { PREFIX } from '../keys.js';

const LATEST = PREFIX.state;
/** First byte of the keys of undo pages. */
export const UNDO_PREFIX = PREFIX.state + 1;
const FLOOR = PREFIX.state + 2;

/** Key of the row with the lowest readable height. */
export const FLOOR_KEY = Uint8Array.of(FLOOR);

/**
 * Row key in `latest`: `[table][length of store name][store name][key]`. The rows of one store are contiguous and in
 * the order of its keys.
 */
export function latestKey(store: string, key: Uint8Array): Uint8Array {
  const start = startOf(store);
  const row = new Uint8Array(start.length + key.length);
  row.set(start);
  row.set(key, start.length);
  return row;
}

/** True for the key of a row of `latest`. */
export function isLatestKey(key: Uint8Array): boolean {
  return key[0] === LATEST;
}

/** True for the key of an undo page. */
export function isUndoKey(key: Uint8Array): boolean {
  return key[0] === UNDO_PREFIX;
}

/** Bounds of one store's rows in `latest`. */
export function latestBounds(store: string): { readonly start: Uint8Array; readonly end: Uint8Array } {
  const start = startOf(store);
  const end = prefixEnd(start);
  invariant(end !== undefined, 'a table prefix has a successor');
  return { start, end };
}

/** Bounds of all rows of the state: values, undo pages, the lowest readable height. */
export function stateBounds(): { readonly start: Uint8Array; readonly end: Uint8Array } {
  return { start: Uint8Array.of(LATEST), end: Uint8Array.of(FLOOR + 1) };
}

/** Splits a row key of `latest` into store and key; the key is a view into `row`. */
export function ofLatestKey(row: Uint8Array): { readonly store: string; readonly key: Uint8Array } {
  const at = 2 + (row[1] ?? 0);
  return { store: text(row.subarray(2, at)), key: row.subarray(at) };
}

/** Bounds of the rows of all stores in `latest`. */
export function allLatestBounds(): { readonly start: Uint8Array; readonly end: Uint8Array } {
  return { start: Uint8Array.of(LATEST), end: Uint8Array.of(UNDO_PREFIX) };
}

/** Key of the undo page of a block. */
export function undoKey(height: Height): Uint8Array {
  return concat(Uint8Array.of(UNDO_PREFIX), be64(height));
}

const starts = new Map<string, Uint8Array>();

/** Key prefix of one store's rows; cached, so callers must not change it. */
function startOf(store: string): Uint8Array {
  const known = starts.get(store);
  if (known !== undefined) return known;
  const name = utf8(store);
  invariant(name.length < 256, `store name too long: ${store}`);
  const start = concat(Uint8Array.of(LATEST, name.length), name);
  if (starts.size >= FIXED_LIMITS.cachedPrefixes) starts.clear();
  starts.set(store, start);
  return start;
}
