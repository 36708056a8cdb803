/**
 * Byte writer and reader of the log's formats: unsigned varints (LEB128), length-prefixed bytes, fixed big-endian u64.
 */
import { readBe64 } from '../core/bytes/big-endian.js';
import { EMPTY, text, utf8, utf8Into } from '../core/bytes/bytes.js';

/** The bytes end early or break a rule of the format. Callers know the place and throw a CorruptionError. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

const FIRST_SIZE = 2_048;
/** Sizes and number of the arrays that finished writers leave to later ones. */
const KEPT_SIZE = 65_536;
const KEPT_ARRAYS = 16;
/** Up to so many bytes a loop copies faster than V8's function. */
const COPIED_SINGLY = 48;
/** V8 takes each array of more than 64 bytes from the system, and gives it back in a collection. */
const spare: Uint8Array<ArrayBuffer>[] = [];

function arrayOf(size: number): Uint8Array<ArrayBuffer> {
  const last = spare.at(-1);
  if (last === undefined || last.length < size) return new Uint8Array(Math.max(FIRST_SIZE, size));
  spare.pop();
  return last;
}

function leave(bytes: Uint8Array<ArrayBuffer>): void {
  if (bytes.length >= FIRST_SIZE && bytes.length <= KEPT_SIZE && spare.length < KEPT_ARRAYS) spare.push(bytes);
}

/** Grows as needed; `finish` returns a copy of the bytes written so far, after which the writer is empty. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** `expected`: number of bytes that fit without growing; without it, nothing is taken before the first byte. */
  constructor(expected = 0) {
    this.#bytes = expected === 0 ? EMPTY : arrayOf(expected);
  }

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** The bytes from `start` on. */
  raw(bytes: Uint8Array, start = 0): void {
    const { length } = bytes;
    this.#reserve(length - start);
    if (length - start > COPIED_SINGLY) {
      this.#bytes.set(start === 0 ? bytes : bytes.subarray(start), this.#length);
      this.#length += length - start;
      return;
    }
    const to = this.#bytes;
    let at = this.#length;
    for (let index = start; index < length; index += 1) to[at++] = bytes[index] ?? 0;
    this.#length = at;
  }

  uint(value: number | bigint): void {
    let rest = value;
    if (typeof rest === 'bigint' && rest <= 0x7fffffffn) rest = Number(rest);
    if (typeof rest === 'bigint') {
      for (; rest > 0x7fn; rest >>= 7n) this.byte(Number(rest & 0x7fn) | 0x80);
      this.byte(Number(rest));
      return;
    }
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.byte((rest % 128) | 0x80);
    this.byte(rest);
  }

  /** Zigzag varint: small for small absolute values. */
  int(value: bigint): void {
    this.uint(value >= 0n ? value * 2n : -value * 2n - 1n);
  }

  /** The bytes from `start` on, after their number. */
  bytes(value: Uint8Array, start = 0): void {
    this.uint(value.length - start);
    this.raw(value, start);
  }

  text(value: string): void {
    // A code unit takes one to three bytes. Where this decides the size of the length, the text is encoded directly in
    // its place.
    const maximum = value.length * 3;
    const prefix = maximum < 0x80 ? 1 : value.length >= 0x80 && maximum < 0x4000 ? 2 : 0;
    if (prefix === 0) {
      this.bytes(utf8(value));
      return;
    }
    this.#reserve(prefix + maximum);
    const start = this.#length + prefix;
    const { written } = utf8Into(value, this.#bytes.subarray(start));
    this.uint(written);
    this.#length = start + written;
  }

  /** A list of byte arrays after their number. */
  list(items: readonly Uint8Array[]): void {
    this.uint(items.length);
    for (const item of items) this.bytes(item);
  }

  /** A number plus one; zero stands for an absent one. */
  optional(value: bigint | undefined): void {
    this.uint(value === undefined ? 0n : value + 1n);
  }

  finish(): Uint8Array<ArrayBuffer> {
    const written = this.#bytes.slice(0, this.#length);
    leave(this.#bytes);
    this.#bytes = EMPTY;
    this.#length = 0;
    return written;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const before = this.#bytes;
    const grown = arrayOf(Math.max(before.length * 2, this.#length + more));
    grown.set(this.#length === before.length ? before : before.subarray(0, this.#length));
    leave(before);
    this.#bytes = grown;
  }
}

/** Bytes of `ByteWriter.uint` of a count. */
export function uintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}

/** Reads what ByteWriter wrote; throws FormatError when the bytes end early. Byte slices are views. */
export class ByteReader {
  #offset = 0;

  constructor(readonly source: Uint8Array) {}

  get remaining(): number {
    return this.source.length - this.#offset;
  }

  /** The bytes that are not read yet, as a view; they stay unread. */
  rest(): Uint8Array {
    return this.source.subarray(this.#offset);
  }

  byte(): number {
    const value = this.source[this.#offset];
    if (value === undefined) throw new FormatError('bytes end early');
    this.#offset += 1;
    return value;
  }

  raw(length: number): Uint8Array {
    if (length > this.remaining) throw new FormatError('bytes end early');
    const start = this.#offset;
    this.#offset += length;
    return this.source.subarray(start, this.#offset);
  }

  /** Counts in numbers as far as they are exact: a bigint for each byte would take most of the time of a replay. */
  uint(): bigint {
    let low = 0;
    for (let scale = 1; scale <= 2 ** 42; scale *= 128) {
      const byte = this.byte();
      low += (byte & 0x7f) * scale;
      if (byte < 0x80) return BigInt(low);
    }
    let high = 0;
    for (let scale = 1; scale <= 2 ** 14; scale *= 128) {
      const byte = this.byte();
      high += (byte & 0x7f) * scale;
      if (byte < 0x80) return (BigInt(high) << 49n) | BigInt(low);
    }
    throw new FormatError('varint too long');
  }

  /** A varint that is a count or a size in memory: at most 2^53. */
  count(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 49; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new FormatError('count too large');
  }

  int(): bigint {
    const value = this.uint();
    return (value & 1n) === 0n ? value >> 1n : -((value + 1n) >> 1n);
  }

  bytes(): Uint8Array {
    return this.raw(this.count());
  }

  text(): string {
    return text(this.bytes());
  }

  /** Items that `read` takes, at least one byte each, after their number. */
  items<Item>(read: () => Item): Item[] {
    const length = this.count();
    if (length > this.remaining) throw new FormatError('more items than bytes');
    return Array.from({ length }, read);
  }

  list(): Uint8Array[] {
    return this.items(() => this.bytes());
  }

  optional(): bigint | undefined {
    const value = this.uint();
    return value === 0n ? undefined : value - 1n;
  }

  end(): void {
    if (this.remaining !== 0) throw new FormatError(`${this.remaining} bytes too many`);
  }
}

/** The number in the eight bytes at `offset`; throws FormatError when the bytes end before. */
export function readU64(bytes: Uint8Array, offset: number): bigint {
  if (offset + 8 > bytes.length) throw new FormatError('bytes end early');
  return readBe64(bytes, offset);
}
