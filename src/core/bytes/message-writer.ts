/**
 * Writes a protobuf message from its last field to its first: where the length of a nested message is written, its
 * content is there already (protobuf.dev, "Encoding"). Empty values are left out, as the generated codec does.
 */
import { utf8 } from './bytes.js';

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIRST_SIZE = 16_384;
/** A larger array is given back with its message: the writer of a full block does not keep its memory. */
const KEPT_SIZE = 1_048_576;

/** A reusable writer: call the field methods from the last field to the first, then `finish`. */
export class MessageWriter {
  #bytes = new Uint8Array(FIRST_SIZE);
  /** The written bytes begin here and end with the array. */
  #at = FIRST_SIZE;

  /** Bytes written so far. */
  get length(): number {
    return this.#bytes.length - this.#at;
  }

  /** A copy of what was written. The writer is empty afterwards. */
  finish(): Uint8Array {
    const written = this.#bytes.slice(this.#at);
    this.#empty();
    return written;
  }

  /** Finishes into a part of `target`, which must be long enough. */
  finishInto(target: Uint8Array, at: number): void {
    target.set(this.#bytes.subarray(this.#at), at);
    this.#empty();
  }

  #empty(): void {
    if (this.#bytes.length > KEPT_SIZE) this.#bytes = new Uint8Array(FIRST_SIZE);
    this.clear();
  }

  /** Forgets what was written. */
  clear(): void {
    this.#at = this.#bytes.length;
  }

  /** Length and tag before a nested message; `before`: the writer's length when its last field was not written yet. */
  close(field: number, before: number): void {
    this.#varint(this.length - before);
    this.#varint(field * 8 + LENGTH_DELIMITED);
  }

  bytes(field: number, value: Uint8Array): void {
    if (value.length > 0) this.item(field, value);
  }

  /** An item of a repeated field, which is written when it is empty, too. */
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

  /** A number or an `int64`; negative ones take ten bytes. */
  number(field: number, value: number | bigint): void {
    if (value === 0 || value === 0n) return;
    if (value > 0 && value <= Number.MAX_SAFE_INTEGER) this.#varint(Number(value));
    else this.#wideVarint(BigInt.asUintN(64, BigInt(value)));
    this.#varint(field * 8 + VARINT);
  }

  flag(field: number, value: boolean): void {
    this.number(field, value ? 1 : 0);
  }

  /** An `sfixed64`: eight bytes, the lowest first. */
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

  /** The length of everything that was written, before it: a message that stands alone in a stream. */
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
