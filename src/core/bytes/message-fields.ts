/**
 * Walks the fields of a protobuf message in place: bytes are not copied, and fields are not made into objects
 * (protobuf.dev, "Encoding").
 */
import { invariant } from '../errors.js';
import { toOrderedString } from './key-order.js';
import { text } from './bytes.js';
import { knownText } from './known-text.js';

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;
/** Bytes of the longest text that is looked for among those that came before: an address fits, a log does not. */
const KNOWN_BYTES = 128;

/** A cursor over the fields of one protobuf message; `field`, `start` and `end` describe the current field. */
export class MessageFields {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;
  /** Number of the field that `next` moved to; 0 before the first. */
  field = 0;
  /** Offset of the field's tag. */
  begin = 0;
  /** Offset of its content: the bytes of a length-delimited field, the number's own bytes of any other. */
  start = 0;
  end = 0;

  /** The fields of `bytes` from `start` to `end`, which are one message. */
  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /**
   * Moves to the next field; false after the last. Throws for bytes that are not a message, which this node never
   * writes.
   */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    this.begin = this.#at;
    const tag = this.#varint();
    this.field = Math.floor(tag / 8);
    const wireType = tag % 8;
    this.start = this.#at;
    if (wireType === LENGTH_DELIMITED) {
      const length = this.#varint();
      this.start = this.#at;
      this.#at += length;
    } else if (wireType === VARINT) {
      while ((this.#bytes[this.#at] ?? 0) > 0x7f) this.#at += 1;
      this.#at += 1;
    } else {
      invariant(wireType === FIXED64 || wireType === FIXED32, `protobuf wire type ${wireType}`);
      this.#at += wireType === FIXED64 ? 8 : 4;
    }
    this.end = this.#at;
    invariant(this.end <= this.#end, 'a protobuf field ends inside its message');
    return true;
  }

  /** Content of the field, as a view. */
  content(): Uint8Array {
    return this.#bytes.subarray(this.start, this.end);
  }

  /** A number below 2^32. */
  uint32(): number {
    let value = 0;
    let scale = 1;
    for (let at = this.start; at < this.end && scale <= 0x1000_0000; at += 1, scale *= 128)
      value += ((this.#bytes[at] ?? 0) & 0x7f) * scale;
    return value >>> 0;
  }

  /** A number of 64 bits with a sign, as `int64` fields hold it. */
  int64(): bigint {
    let value = 0n;
    let low = 0;
    let scale = 1;
    // Up to seven bytes are exact in an ordinary number.
    for (let at = this.start; at < this.end; at += 1) {
      const digit = (this.#bytes[at] ?? 0) & 0x7f;
      if (at - this.start < 7) {
        low += digit * scale;
        scale *= 128;
      } else value |= BigInt(digit) << BigInt(7 * (at - this.start));
    }
    return this.end - this.start <= 7 ? BigInt(low) : BigInt.asIntN(64, value | BigInt(low));
  }

  /** Text of a string field. */
  text(): string {
    const { start, end } = this;
    const known = end - start <= KNOWN_BYTES ? knownText(this.#bytes, start, end) : undefined;
    if (known !== undefined) return known;
    const bytes = this.content();
    for (const byte of bytes) if (byte > 0x7f) return text(bytes);
    return toOrderedString(bytes);
  }

  /** A tag or a length: a number below 2^35, which no array reaches. */
  #varint(): number {
    let value = 0;
    for (let scale = 1; scale <= 0x1000_0000; scale *= 128) {
      const byte = this.#bytes[this.#at] ?? 0;
      this.#at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    invariant(false, 'a protobuf length is below 2^35');
  }
}
