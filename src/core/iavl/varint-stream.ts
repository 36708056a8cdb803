import { putUvarint } from './node-hash.js';

const CHUNK_BYTES = 1 << 16;

/** Writes varints and bytes into a growing buffer. */
export class VarintWriter {
  readonly #full: Uint8Array[] = [];
  #chunk = new Uint8Array(CHUNK_BYTES);
  #used = 0;
  #fullBytes = 0;

  /** Number of bytes written. */
  get length(): number {
    return this.#fullBytes + this.#used;
  }

  /** Appends an unsigned varint below 2^53. */
  uvarint(value: number): void {
    this.#reserve(8);
    this.#used = putUvarint(this.#chunk, this.#used, value);
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#chunk.set(value, this.#used);
    this.#used += value.length;
  }

  /** Returns everything written and empties the writer. */
  finish(): Uint8Array {
    const joined = new Uint8Array(this.#fullBytes + this.#used);
    let offset = 0;
    for (const part of [...this.#full, this.#chunk.subarray(0, this.#used)]) {
      joined.set(part, offset);
      offset += part.length;
    }
    this.#full.length = 0;
    this.#fullBytes = 0;
    this.#used = 0;
    return joined;
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#chunk.length) return;
    this.#full.push(this.#chunk.subarray(0, this.#used));
    this.#fullBytes += this.#used;
    this.#chunk = new Uint8Array(Math.max(CHUNK_BYTES, bytes));
    this.#used = 0;
  }
}

/** Reads what `VarintWriter` wrote; throws beyond the end, so callers verify a checksum first. */
export class VarintReader {
  readonly #data: Uint8Array;
  #offset = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  /** Number of unread bytes. */
  get left(): number {
    return this.#data.length - this.#offset;
  }

  uvarint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#data[this.#offset];
      if (byte === undefined) throw new Error('invariant: read behind the end');
      this.#offset += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }

  /** Reads a varint; undefined, with nothing consumed, when it is incomplete. */
  wholeUvarint(): number | undefined {
    for (let at = this.#offset; at < this.#data.length; at += 1)
      if ((this.#data[at] ?? 0) < 0x80) return this.uvarint();
    return undefined;
  }

  /** Copies the next bytes to `target`, from index `from` to before `to`. */
  copy(target: Uint8Array, from: number, to: number): void {
    const data = this.#data;
    const offset = this.#offset - from;
    if (offset + to > data.length || to > target.length) throw new Error('invariant: read behind the end');
    for (let at = from; at < to; at += 1) target[at] = data[offset + at] ?? 0;
    this.#offset = offset + to;
  }

  /** A view of the next bytes. */
  bytes(length: number): Uint8Array {
    const end = this.#offset + length;
    if (end > this.#data.length) throw new Error('invariant: read behind the end');
    const view = this.#data.subarray(this.#offset, end);
    this.#offset = end;
    return view;
  }
}
