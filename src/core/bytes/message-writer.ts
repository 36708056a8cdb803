/**
 * Writes a protobuf message from its last field to its first, so that the content of a nested message exists when its
 * length is written (protobuf.dev, "Encoding"). Empty values are omitted, as in the generated codec.
 */
import { utf8 } from './bytes.js';

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIRST_SIZE = 16_384;
/** Larger buffers are released after each message, so that the writer does not keep the memory of a full block. */
const KEPT_SIZE = 1_048_576;

/** Reusable writer: call the field methods from the last field to the first, then `finish`. */
export class MessageWriter {
  #bytes = new Uint8Array(FIRST_SIZE);
  /** Offset of the first written byte; written bytes extend to the end of the array. */
  #at = FIRST_SIZE;

  /** Number of bytes written so far. */
  get length(): number {
    return this.#bytes.length - this.#at;
  }

  /** Returns a copy of the written bytes and empties the writer. */
  finish(): Uint8Array {
    const written = this.#bytes.slice(this.#at);
    this.#empty();
    return written;
  }

  /** Copies the written bytes into `target`, which must be long enough, and empties the writer. */
  finishInto(target: Uint8Array, at: number): void {
    target.set(this.#bytes.subarray(this.#at), at);
    this.#empty();
  }

  #empty(): void {
    if (this.#bytes.length > KEPT_SIZE) this.#bytes = new Uint8Array(FIRST_SIZE);
    this.clear();
  }

  /** Discards the written bytes. */
  clear(): void {
    this.#at = this.#bytes.length;
  }

  /**
   * Writes length and tag before a nested message; `before` is the writer's length before the nested message was
   * written.
   */
  close(field: number, before: number): void {
    this.#varint(this.length - before);
    this.#varint(field * 8 + LENGTH_DELIMITED);
  }

  bytes(field: number, value: Uint8Array): void {
    if (value.length > 0) this.item(field, value);
  }

  /** Writes an item of a repeated field, even when it is empty. */
  item(field: number, value: Uint8Array): void {
    const before = this.length;
    this.#room(value.length);
    this.#at -= value.length;
    this.#bytes.set(value, this.#at);
    this.close(field, before);
  }

  text(field: number, value: string): void {
    const { length } = value;
    if (length === 0) return;
    this.#room(length);
    const start = this.#at - length;
    const bytes = this.#bytes;
    for (let index = 0; index < length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) {
        this.bytes(field, utf8(value));
        return;
      }
      bytes[start + index] = code;
    }
    const before = this.length;
    this.#at = start;
    this.close(field, before);
  }

  /** Writes an `int64` or smaller number; negative ones take ten bytes. */
  number(field: number, value: number | bigint): void {
    if (value === 0 || value === 0n) return;
    if (value > 0 && value <= Number.MAX_SAFE_INTEGER) this.#varint(Number(value));
    else this.#wideVarint(BigInt.asUintN(64, BigInt(value)));
    this.#varint(field * 8 + VARINT);
  }

  flag(field: number, value: boolean): void {
    this.number(field, value ? 1 : 0);
  }

  /** Writes an `sfixed64`: eight bytes, little-endian. */
  fixed64(field: number, value: bigint): void {
    if (value === 0n) return;
    this.#room(8);
    this.#at -= 8;
    let low = Number(BigInt.asUintN(32, value));
    let high = Number(BigInt.asUintN(32, value >> 32n));
    for (let at = this.#at; at < this.#at + 4; at += 1, low >>>= 8, high >>>= 8) {
      this.#bytes[at] = low & 0xff;
      this.#bytes[at + 4] = high & 0xff;
    }
    this.#varint(field * 8 + FIXED64);
  }

  /** Prepends the length of everything written, for a length-delimited message in a stream. */
  delimit(): void {
    this.#varint(this.length);
  }

  #varint(value: number): void {
    if (value <= 0x7f) {
      this.#room(1);
      this.#at -= 1;
      this.#bytes[this.#at] = value;
      return;
    }
    let length = 1;
    for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) length += 1;
    this.#room(length);
    this.#at -= length;
    let rest = value;
    for (let at = this.#at; at < this.#at + length; at += 1, rest = Math.floor(rest / 128))
      this.#bytes[at] = (rest % 128) | (at === this.#at + length - 1 ? 0 : 0x80);
  }

  #wideVarint(value: bigint): void {
    const digits: number[] = [];
    for (let rest = value; rest > 0n; rest >>= 7n) digits.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    this.#room(digits.length);
    this.#at -= digits.length;
    this.#bytes.set(digits, this.#at);
  }

  #room(length: number): void {
    if (this.#at >= length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.length + length));
    const at = grown.length - this.length;
    grown.set(this.#bytes.subarray(this.#at), at);
    this.#bytes = grown;
    this.#at = at;
  }
}
