/**
 * Recursive length prefix encoding (Ethereum yellow paper, appendix B). Decoding is strict: canonical sizes, no
 * trailing bytes, bounded nesting. Error texts are geth's.
 */
import { bytesOfDigits } from '../bytes/hex.js';
import { wordOf } from '../bytes/big-endian.js';
import { FIXED_LIMITS } from '../limits/limits.js';

export type RlpItem = Uint8Array | readonly RlpItem[];

export type RlpResult =
  | { readonly ok: true; readonly item: RlpItem }
  | { readonly ok: false; readonly message: string };

class RlpError extends Error {}

/** Decodes exactly one item; its byte strings are views of `bytes`. */
export function decodeRlp(bytes: Uint8Array): RlpResult {
  try {
    if (bytes.length === 0) return { ok: false, message: 'unexpected EOF' };
    const { item, end } = readItem(bytes, 0, bytes.length, 0);
    return end === bytes.length
      ? { ok: true, item }
      : { ok: false, message: 'rlp: input contains more than one value' };
  } catch (error) {
    if (error instanceof RlpError) return { ok: false, message: error.message };
    throw error;
  }
}

function readItem(
  bytes: Uint8Array,
  start: number,
  limit: number,
  depth: number,
): { readonly item: RlpItem; readonly end: number } {
  const prefix = bytes[start] ?? 0;
  if (prefix < 0x80) return { item: bytes.subarray(start, start + 1), end: start + 1 };
  const isList = prefix >= 0xc0;
  const short = prefix - (isList ? 0xc0 : 0x80);
  const sizeLength = short > 55 ? short - 55 : 0;
  const from = start + 1 + sizeLength;
  const size = sizeLength === 0 ? short : readSize(bytes, start + 1, sizeLength, limit, depth);
  const end = from + size;
  if (end > limit) throw beyond(depth);
  if (!isList) {
    if (size === 1 && (bytes[from] ?? 0) < 0x80) throw new RlpError('rlp: non-canonical size information');
    return { item: bytes.subarray(from, end), end };
  }
  if (depth === FIXED_LIMITS.rlpDepth) throw new RlpError('rlp: lists are nested too deeply');
  const items: RlpItem[] = [];
  for (let at = from; at < end;) {
    const child = readItem(bytes, at, end, depth + 1);
    items.push(child.item);
    at = child.end;
  }
  return { item: items, end };
}

function beyond(depth: number): RlpError {
  return new RlpError(
    depth === 0 ? 'rlp: value size exceeds available input length' : 'rlp: element is larger than containing list',
  );
}

/** Reads a length above 55, which must have no leading zero bytes. */
function readSize(bytes: Uint8Array, at: number, length: number, limit: number, depth: number): number {
  if (at + length > limit) throw beyond(depth);
  if (bytes[at] === 0) throw new RlpError('rlp: non-canonical size information');
  let size = 0;
  for (let i = 0; i < length; i += 1) size = size * 256 + (bytes[at + i] ?? 0);
  if (size < 56) throw new RlpError('rlp: non-canonical size information');
  return size;
}

/** Encodes a byte string or a nested list into one array of exact length. */
export function encodeRlp(item: RlpItem): Uint8Array {
  const out = new Uint8Array(encodedLength(item));
  writeBefore(item, out, out.length);
  return out;
}

/** Shortest big-endian bytes of a number; empty for zero. */
export function rlpNumber(value: bigint): Uint8Array {
  if (value <= 0xffff_ffffn) return shortNumber(Number(value));
  if (value >> 256n !== 0n) return bytesOfHex(value.toString(16));
  const word = wordOf(value);
  let start = 0;
  while (start < 32 && word[start] === 0) start += 1;
  return word.slice(start);
}

function shortNumber(value: number): Uint8Array {
  const length = value === 0 ? 0 : value < 0x100 ? 1 : value < 0x1_0000 ? 2 : value < 0x100_0000 ? 3 : 4;
  const bytes = new Uint8Array(length);
  for (let at = length - 1, rest = value; at >= 0; at -= 1, rest >>>= 8) bytes[at] = rest & 0xff;
  return bytes;
}

function bytesOfHex(digits: string): Uint8Array {
  return bytesOfDigits(digits.length % 2 === 0 ? digits : `0${digits}`) ?? new Uint8Array(0);
}

function isBytes(item: RlpItem): item is Uint8Array {
  return item instanceof Uint8Array;
}

function contentLength(item: RlpItem): number {
  if (isBytes(item)) return item.length;
  let length = 0;
  for (const child of item) length += encodedLength(child);
  return length;
}

function isSingleByte(item: RlpItem): boolean {
  return isBytes(item) && item.length === 1 && (item[0] ?? 0) < 0x80;
}

function encodedLength(item: RlpItem): number {
  if (isSingleByte(item)) return 1;
  const length = contentLength(item);
  return 1 + length + (length > 55 ? sizeBytes(length) : 0);
}

function sizeBytes(length: number): number {
  let bytes = 1;
  for (let rest = Math.floor(length / 256); rest > 0; rest = Math.floor(rest / 256)) bytes += 1;
  return bytes;
}

/**
 * Writes one item that ends at `end` and returns its start. A list is written from its end on, because its length is
 * known when its prefix is written.
 */
function writeBefore(item: RlpItem, out: Uint8Array, end: number): number {
  if (!isBytes(item)) {
    const start = item.reduceRight((at, child) => writeBefore(child, out, at), end);
    return writePrefix(0xc0, end - start, out, start);
  }
  const start = end - item.length;
  out.set(item, start);
  return isSingleByte(item) ? start : writePrefix(0x80, item.length, out, start);
}

/** Writes the prefix of an item of `length` bytes that begins at `end`. */
function writePrefix(base: number, length: number, out: Uint8Array, end: number): number {
  if (length <= 55) {
    out[end - 1] = base + length;
    return end - 1;
  }
  const bytes = sizeBytes(length);
  for (let at = end - 1, rest = length; at >= end - bytes; at -= 1, rest = Math.floor(rest / 256)) out[at] = rest % 256;
  out[end - bytes - 1] = base + 55 + bytes;
  return end - bytes - 1;
}
