/**
 * Iterates over the fields of a protobuf message in place, without copying bytes or creating objects (protobuf.dev,
 * "Encoding").
 */
import { invariant } from '../errors.js';
import { toOrderedString } from './key-order.js';
import { text } from './bytes.js';
import { knownText } from './known-text.js';

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;
/** Longest text looked up in the cache, in bytes: addresses fit, logs do not. */
const KNOWN_BYTES = 128;

/** Cursor over the fields of one protobuf message; `field`, `start` and `end` describe the current field. */
export class MessageFields {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;
  /** Number of the current field; 0 before the first. */
  field = 0;
  /** Offset of the field's tag. */
  begin = 0;
  /** Offset of the field's content: the bytes of a length-delimited field, else the encoded number. */
  start = 0;
  end = 0;

  /** Starts at the beginning of one message, `bytes` from `start` to `end`. */
  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** Moves to the next field; false after the last. Throws for malformed bytes, which this node never writes. */
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

  /** Value of a number field below 2^32. */
  uint32(): number {
    let value = 0;
    let scale = 1;
    for (let at = this.start; at < this.end && scale <= 0x1000_0000; at += 1, scale *= 128)
      value += ((this.#bytes[at] ?? 0) & 0x7f) * scale;
    return value >>> 0;
  }

  /** Value of an `int64` field. */
  int64(): bigint {
    let value = 0n;
    let low = 0;
    let scale = 1;
    // Up to seven bytes are exact in a JavaScript number.
    for (let at = this.start; at < this.end; at += 1) {
      const digit = (this.#bytes[at] ?? 0) & 0x7f;
      if (at - this.start < 7) {
        low += digit * scale;
        scale *= 128;
      } else value |= BigInt(digit) << BigInt(7 * (at - this.start));
    }
    return this.end - this.start <= 7 ? BigInt(low) : BigInt.asIntN(64, value | BigInt(low));
  }

  /** Value of a string field. */
  text(): string {
    const { start, end } = this;
    const known = end - start <= KNOWN_BYTES ? knownText(this.#bytes, start, end) : undefined;
    if (known !== undefined) return known;
    const bytes = this.content();
    for (const byte of bytes) if (byte > 0x7f) return text(bytes);
    return toOrderedString(bytes);
  }

  /** Reads a tag or length below 2^35, which exceeds any array's length. */
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
