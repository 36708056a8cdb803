/** Keys of the state's tables: the numbers from PREFIX.state on (docs/decisions/0001-log-record.md). */
import { utf8, concat } from '../../core/bytes/bytes.js';
import { invariant } from '../../core/errors.js';
import type { Height } from '../../core/primitives.js';
import { prefixEnd } from '../../core/bytes/key-order.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { PREFIX } from '../keys.js';

const LATEST = PREFIX.state;
const UNDO = PREFIX.state + 1;
const FLOOR = PREFIX.state + 2;

/** Row of the lowest readable height. */
export const FLOOR_KEY = Uint8Array.of(FLOOR);

/** `[table][length of store name][store name][key]`: one store's rows are contiguous, in the order of its keys. */
export function latestKey(store: string, key: Uint8Array): Uint8Array {
  const name = storeName(store);
  return concat(Uint8Array.of(LATEST, name.length), name, key);
}

/** Bounds of one store's rows in `latest`. */
export function latestBounds(store: string): { readonly start: Uint8Array; readonly end: Uint8Array } {
  const name = storeName(store);
  const start = concat(Uint8Array.of(LATEST, name.length), name);
  const end = prefixEnd(start);
  invariant(end !== undefined, 'a table prefix has a successor');
  return { start, end };
}

/** Key of the undo page of a block. */
export function undoKey(height: Height): Uint8Array {
  return concat(Uint8Array.of(UNDO), be64(height));
}

function storeName(store: string): Uint8Array {
  const name = utf8(store);
  invariant(name.length < 256, `store name too long: ${store}`);
  return name;
}
