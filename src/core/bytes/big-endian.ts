/**
 * Big-endian integers, whose byte order is numeric order. Creating a DataView of a small array moves its bytes out of
 * the heap, which costs ten times as much as reading them; so one shared view is used, and bytes are copied.
 */
const view = new DataView(new ArrayBuffer(8));
const bytes = new Uint8Array(view.buffer);

/** Encodes the lowest 64 bits of a number. */
export function be64(value: bigint): Uint8Array<ArrayBuffer> {
  view.setBigUint64(0, value);
  return bytes.slice();
}

/** Encodes the lowest 64 bits of a number, little-endian. */
export function le64(value: bigint): Uint8Array<ArrayBuffer> {
  view.setBigUint64(0, value, true);
  return bytes.slice();
}

/** Writes `be64(value)` to `target` at `offset`. */
export function writeBe64(target: Uint8Array, offset: number, value: bigint): void {
  view.setBigUint64(0, value);
  target.set(bytes, offset);
}

/** Writes an unsigned 32-bit number to `target` at `offset`. */
export function writeBe32(target: Uint8Array, offset: number, value: number): void {
  target[offset] = value >>> 24;
  target[offset + 1] = value >>> 16;
  target[offset + 2] = value >>> 8;
  target[offset + 3] = value;
}

/** Reads a 32-bit number from `source` at `offset`; its four bytes must exist. */
export function readBe32(source: Uint8Array, offset: number): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = source.subarray(offset, offset + 4);
  return ((first << 24) | (second << 16) | (third << 8) | fourth) >>> 0;
}

/** Reads a 64-bit number from `source` at `offset`; its eight bytes must exist. */
export function readBe64(source: Uint8Array, offset = 0): bigint {
  for (let index = 0; index < 8; index += 1) bytes[index] = source[offset + index] ?? 0;
  return view.getBigUint64(0);
}

/** Encodes a number below 2^256 as 32 bytes. */
export function wordOf(value: bigint): Uint8Array {
  const word = new Uint8Array(32);
  // Each step writes the lowest 64 bits of the rest.
  for (let at = 24, rest = value; rest > 0n; at -= 8, rest >>= 64n) writeBe64(word, at, rest);
  return word;
}

/** Bytes that a JavaScript number holds exactly; bigints are built from such parts. */
const EXACT_BYTES = 6;

/** Decodes bytes (at most a few EVM words) to a bigint; no bytes give zero. */
export function bigintOfBytes(bytes: Uint8Array): bigint {
  let end = bytes.length % EXACT_BYTES;
  let value = BigInt(exactNumber(bytes, 0, end));
  for (; end < bytes.length; end += EXACT_BYTES)
    value = (value << 48n) | BigInt(exactNumber(bytes, end, end + EXACT_BYTES));
  return value;
}

function exactNumber(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 256 + (bytes[at] ?? 0);
  return value;
}
