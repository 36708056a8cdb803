/** Keys of the rows of postings. */
import { compare, concat, EMPTY, text, utf8 } from '../../core/bytes/bytes.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { canonicalText } from '../../core/query/index.js';
import { readBe32, writeBe32, writeBe64 } from '../../core/bytes/big-endian.js';
import { readU64 } from '../bytes.js';
import { PREFIX } from '../keys.js';
import type { Posting, PostingKind } from './posting.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** Indexed bytes of a value; a longer value is stored in the row itself. */
const VALUE_BYTES = 512;
const TAIL_BYTES = 16;
/** End mark of the value in a key. */
const VALUE_END = Uint8Array.of(0, 1);
const KIND_BYTE = { tx: PREFIX.index, block: PREFIX.index + 1 } as const;

/** Key of the row with the last indexed height. */
export const CURSOR_KEY = Uint8Array.of(PREFIX.index + 2);

/** Marks, in place of the transaction index, a row with several postings of one block. */
export const SEVERAL = 0xffff_ffff;
/**
 * Marks, in place of the transaction index, a row with block events of several blocks of a window; its height is the
 * window's start.
 */
export const SHARED = 0xffff_fffe;
/** Blocks per window; windows start at multiples of this number. Part of the disk format. */
const WINDOW_BLOCKS = 32n;

/** First height of the window that contains `height`. */
export function windowStart(height: Height): Height {
  return toHeight(height - (height % WINDOW_BLOCKS));
}

/** `windowStart` for a plain number. */
export function windowStartNumber(height: number): number {
  return height - (height % Number(WINDOW_BLOCKS));
}

/** First height of the window after the one that contains `height`. */
export function nextWindowStart(height: number): number {
  return windowStartNumber(height) + Number(WINDOW_BLOCKS);
}

/** True for the last height of a window. */
export function isLastOfWindow(height: Height): boolean {
  return (height + 1n) % WINDOW_BLOCKS === 0n;
}

/**
 * Key of a row: kind (1), length of the composite key (2), composite key, value with its end mark, height (8), index
 * (4), event (4). Hex values are lower case, so that addresses compare without case. The row of a single posting is
 * empty; if the key cannot hold the value exactly, the row holds it, and the first byte of `event` counts such rows of
 * one event. In a row with several postings, `index` is `SEVERAL` or `SHARED` and `event` is the row's number.
 */
export function postingKey(kind: PostingKind, { key, value, height, index, event }: Posting): Uint8Array {
  const row = valueRow(keyPrefix(kind, key), canonicalText(value), VALUE_END.length + TAIL_BYTES);
  const tail = row.length - TAIL_BYTES;
  row.set(VALUE_END, tail - VALUE_END.length);
  const high = height >> 32n;
  writeBe32(row, tail, Number(high));
  writeBe32(row, tail + 4, Number(height - (high << 32n)));
  writeBe32(row, tail + 8, index);
  writeBe32(row, tail + 12, event);
  return row;
}

/**
 * `prefix`, the indexed bytes of `value`, and `rest` zero bytes. Most values are short ASCII and are written without an
 * intermediate copy.
 */
function valueRow(prefix: Uint8Array, value: string, rest: number): Uint8Array {
  const start = prefix.length;
  if (value.length <= VALUE_BYTES) {
    const row = new Uint8Array(start + value.length + rest);
    row.set(prefix);
    let at = 0;
    for (; at < value.length; at += 1) {
      const code = value.charCodeAt(at);
      if (code === 0 || code > 0x7f) break;
      row[start + at] = code;
    }
    if (at === value.length) return row;
  }
  return concat(prefix, escaped(indexedBytes(value)), new Uint8Array(rest));
}

const prefixes = { tx: new Map<string, Uint8Array>(), block: new Map<string, Uint8Array>() } as const;

/** Key prefix of all rows of one composite key. */
export function keyPrefix(kind: PostingKind, key: string): Uint8Array {
  const ofKind = prefixes[kind];
  const known = ofKind.get(key);
  if (known !== undefined) return known;
  const name = utf8(key);
  const prefix = concat(Uint8Array.of(KIND_BYTE[kind], (name.length >> 8) & 0xff, name.length & 0xff), name);
  if (ofKind.size >= FIXED_LIMITS.cachedPrefixes) ofKind.clear();
  ofKind.set(key, prefix);
  return prefix;
}

/** Key bounds of all rows of a kind. */
export function keysOf(kind: PostingKind): { readonly start: Uint8Array; readonly end: Uint8Array } {
  return { start: Uint8Array.of(KIND_BYTE[kind]), end: Uint8Array.of(KIND_BYTE[kind] + 1) };
}

/** The composite key in a row key. */
export function keyOfRow(rowKey: Uint8Array): string {
  const [, high = 0, low = 0] = rowKey;
  return text(rowKey.subarray(3, 3 + high * 256 + low));
}

/** Key prefix of the rows of one composite key and value. Long values with the same first bytes share it. */
export function valuePrefix(kind: PostingKind, key: string, value: string): Uint8Array {
  return concat(keyPrefix(kind, key), escaped(indexedBytes(value)), VALUE_END);
}

/** The bytes to store in the row when the key does not hold the value exactly; otherwise empty. */
export function exactValue(value: string): Uint8Array {
  // Short text in canonical form is known to be exact without encoding: a code unit takes at most three bytes.
  if (value.length * 3 <= VALUE_BYTES && canonicalText(value) === value) return EMPTY;
  const exact = utf8(value);
  return compare(exact, indexedBytes(value)) === 0 ? EMPTY : exact;
}

/** Height, index and event in a row key. */
export function placeOf(rowKey: Uint8Array): Pick<Posting, 'height' | 'index' | 'event'> {
  const tail = rowKey.length - TAIL_BYTES;
  const view = new DataView(rowKey.buffer, rowKey.byteOffset, rowKey.length);
  return { height: toHeight(readU64(rowKey, tail)), index: view.getUint32(tail + 8), event: view.getUint32(tail + 12) };
}

/** The index in a row key: a transaction index, `SEVERAL` or `SHARED`. */
export function indexInKey(rowKey: Uint8Array): number {
  return readBe32(rowKey, rowKey.length - TAIL_BYTES + 8);
}

/** The height in a row key: the block's, or the window's start in a shared row. */
export function heightInKey(rowKey: Uint8Array): number {
  const tail = rowKey.length - TAIL_BYTES;
  return readBe32(rowKey, tail) * 2 ** 32 + readBe32(rowKey, tail + 4);
}

/** Key of the shared row that may hold the posting of `rowKey` together with other blocks of its window. */
export function sharedKeyOf(rowKey: Uint8Array): Uint8Array {
  const shared = rowKey.slice();
  const tail = rowKey.length - TAIL_BYTES;
  writeBe64(shared, tail, windowStart(placeOf(rowKey).height));
  writeBe32(shared, tail + 8, SHARED);
  writeBe32(shared, tail + 12, 0);
  return shared;
}

/** The value bytes in the key of a row of composite key `key`. */
export function valueInKey(kind: PostingKind, key: string, rowKey: Uint8Array): Uint8Array {
  return unescaped(rowKey.subarray(keyPrefix(kind, key).length, rowKey.length - TAIL_BYTES - VALUE_END.length));
}

function indexedBytes(value: string): Uint8Array {
  return utf8(canonicalText(value)).subarray(0, VALUE_BYTES);
}

/** Escapes zero bytes as `00 ff`, so that the end mark `00 01` sorts a value before every value it is a prefix of. */
function escaped(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0)) return bytes;
  const out = new Uint8Array(bytes.length * 2);
  let length = 0;
  for (const byte of bytes) {
    out[length] = byte;
    length += 1;
    if (byte !== 0) continue;
    out[length] = 0xff;
    length += 1;
  }
  return out.subarray(0, length);
}

function unescaped(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, index) => !(byte === 0xff && index > 0 && bytes[index - 1] === 0));
}
