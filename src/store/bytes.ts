/**
 * Byte writer and reader for the log's formats: unsigned varints (LEB128), length-prefixed bytes, fixed big-endian u64.
 */
import { readBe64 } from '../core/bytes/big-endian.js';
import { EMPTY, text, utf8, utf8Into } from '../core/bytes/bytes.js';

/**
 * The bytes end early or are not in the expected format. Callers know where the bytes come from and rethrow it as a
 * CorruptionError.
 */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

const FIRST_SIZE = 2_048;
/** Largest size, and number, of the buffers that are kept for later writers. */
const KEPT_SIZE = 65_536;
const KEPT_ARRAYS = 16;
/** A loop copies up to this many bytes faster than `Uint8Array.set`. */
const COPIED_SINGLY = 48;
/**
 * Buffers of finished writers, for reuse: V8 allocates arrays above 64 bytes outside of its heap, which costs garbage
 * collection.
 */
const spare: Uint8Array<ArrayBuffer>[] = [];

function takeArray(size: number): Uint8Array<ArrayBuffer> {
  const last = spare.at(-1);
  if (last === undefined || last.length < size) return new Uint8Array(Math.max(FIRST_SIZE, size));
  spare.pop();
  return last;
}

function recycle(bytes: Uint8Array<ArrayBuffer>): void {
  if (bytes.length >= FIRST_SIZE && bytes.length <= KEPT_SIZE && spare.length < KEPT_ARRAYS) spare.push(bytes);
}

/** A growing buffer. `finish` returns a copy of the bytes written so far and empties the writer. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** `expected`: bytes to reserve. By default nothing is reserved before the first write. */
  constructor(expected = 0) {
    this.#bytes = expected === 0 ? EMPTY : takeArray(expected);
  }

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Writes the bytes from `start` on, without a length. */
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

  /** Writes the bytes from `start` on, prefixed by their length. */
  bytes(value: Uint8Array, start = 0): void {
    this.uint(value.length - start);
    this.raw(value, start);
  }

  text(value: string): void {
    // A UTF-16 code unit takes one to three bytes in UTF-8. If both bounds need a length prefix of the same size, the
    // text is encoded in place.
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

  /** Writes a list of byte arrays, prefixed by their count. */
  list(items: readonly Uint8Array[]): void {
    this.uint(items.length);
    for (const item of items) this.bytes(item);
  }

  /** Writes the number plus one, or zero when there is none. */
  optional(value: bigint | undefined): void {
    this.uint(value === undefined ? 0n : value + 1n);
  }

  finish(): Uint8Array<ArrayBuffer> {
    const written = this.#bytes.slice(0, this.#length);
    recycle(this.#bytes);
    this.#bytes = EMPTY;
    this.#length = 0;
    return written;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const before = this.#bytes;
    const grown = takeArray(Math.max(before.length * 2, this.#length + more));
    grown.set(this.#length === before.length ? before : before.subarray(0, this.#length));
    recycle(before);
    this.#bytes = grown;
  }
}

/** Number of bytes that `ByteWriter.uint` writes for a count. */
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

  /** A view of the unread bytes; does not consume them. */
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

  /**
   * Reads a varint of up to 64 bits. It adds up plain numbers while they are exact, because one bigint per byte would
   * dominate replay time.
   */
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

  /** Reads a varint that is a count or a size in memory: at most 2^53. */
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

  /** Reads a count and then that many items with `read`. Every item takes at least one byte. */
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

/** Reads the big-endian u64 at `offset`; throws FormatError when there are fewer than eight bytes. */
export function readU64(bytes: Uint8Array, offset: number): bigint {
  if (offset + 8 > bytes.length) throw new FormatError('bytes end early');
  return readBe64(bytes, offset);
}

/** The little-endian u32 at `offset`; throws FormatError when there are fewer than four bytes. */
export function readLe32(bytes: Uint8Array, offset: number): number {
  if (offset < 0 || offset + 4 > bytes.length) throw new FormatError('bytes end early');
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(offset, true);
}
