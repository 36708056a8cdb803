/**
 * Binary layout at the engine's boundary (docs/decisions/0008-evm-engine.md): little-endian integers, big-endian
 * u256, byte strings with a u32 length prefix. `engine/src/host/wire.rs` is its counterpart.
 */

const U64 = (1n << 64n) - 1n;
const U128 = (1n << 128n) - 1n;
const U256 = (1n << 256n) - 1n;

/** Thrown when an integer does not fit its field; the message names the field. */
export class EncodingOverflow extends RangeError {}

/** Writes fields in sequence into a growing buffer; `done` returns a view that is valid until the next `reset`. */
export class FlatWriter {
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  reset(): this {
    this.#length = 0;
    return this;
  }

  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  u8(value: number): this {
    const at = this.#take(1);
    this.#bytes[at] = value;
    return this;
  }

  u32(value: number): this {
    const at = this.#take(4);
    this.#view.setUint32(at, value, true);
    return this;
  }

  u64(value: bigint, field: string): this {
    const at = this.#take(8);
    this.#view.setBigUint64(at, within(value, U64, field), true);
    return this;
  }

  u128(value: bigint, field: string): this {
    const at = this.#take(16);
    within(value, U128, field);
    this.#view.setBigUint64(at, value & U64, true);
    this.#view.setBigUint64(at + 8, value >> 64n, true);
    return this;
  }

  u256(value: bigint, field: string): this {
    const at = this.#take(32);
    writeU256(this.#view, at, within(value, U256, field));
    return this;
  }

  /** Writes bytes without a length prefix; the layout fixes their `length`. */
  fixed(bytes: Uint8Array, length: number, field: string): this {
    if (bytes.length !== length) throw new EncodingOverflow(`${field} has ${bytes.length} bytes instead of ${length}`);
    return this.raw(bytes);
  }

  /** Writes bytes without a length prefix, up to the end of the message. */
  raw(bytes: Uint8Array): this {
    const at = this.#take(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  bytes(bytes: Uint8Array): this {
    return this.u32(bytes.length).raw(bytes);
  }

  #take(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }
}

/** Reads fields in sequence from the engine's memory; byte strings are copied. */
export class FlatReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  u256(): bigint {
    return readU256(this.#view, this.#take(32));
  }

  fixed(length: number): Uint8Array {
    const at = this.#take(length);
    return this.#bytes.slice(at, at + length);
  }

  bytes(): Uint8Array {
    return this.fixed(this.u32());
  }

  rest(): Uint8Array {
    return this.fixed(this.#bytes.length - this.#at);
  }

  #take(count: number): number {
    const at = this.#at;
    this.#at += count;
    return at;
  }
}

/** Writes a number as 32 big-endian bytes; it must fit. */
export function writeU256(view: DataView, at: number, value: bigint): void {
  view.setBigUint64(at, value >> 192n);
  view.setBigUint64(at + 8, (value >> 128n) & U64);
  view.setBigUint64(at + 16, (value >> 64n) & U64);
  view.setBigUint64(at + 24, value & U64);
}

/** Reads 32 big-endian bytes at an offset. */
export function readU256(view: DataView, at: number): bigint {
  const high = (view.getBigUint64(at) << 64n) | view.getBigUint64(at + 8);
  const low = (view.getBigUint64(at + 16) << 64n) | view.getBigUint64(at + 24);
  return (high << 128n) | low;
}

function within(value: bigint, maximum: bigint, field: string): bigint {
  if (value < 0n || value > maximum) throw new EncodingOverflow(`${field} ${value} does not fit`);
  return value;
}
