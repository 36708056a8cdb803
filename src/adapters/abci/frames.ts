/**
 * Messages of the socket protocol of ABCI: the length as an unsigned varint, then as many bytes (CometBFT v0.38 spec,
 * abci/abci++_client_server, "Socket").
 */
import { concat } from '../../core/bytes/bytes.js';

/** Bytes of the longest length that is read: 2^35 is far above every limit. */
const LENGTH_BYTES = 5;

/** Bytes that are no message; the connection cannot be read any further. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** Cuts the bytes of a connection into messages. */
export class FrameReader {
  readonly #maximum: number;
  readonly #chunks: Uint8Array[] = [];
  /** Bytes in `#chunks`. */
  #size = 0;
  /** Bytes of the next message with its length; undefined until the length is there. */
  #needed: number | undefined;
  /** Bytes of its length. */
  #header = 0;

  /** `maximum`: bytes of a message. */
  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** True when the bytes so far end within a message. */
  get isWithin(): boolean {
    return this.#size > 0;
  }

  /**
   * The messages that are complete with the next bytes; each one is a copy. Throws MalformedMessage for a length that
   * is none, or that is above the maximum.
   */
  *push(chunk: Uint8Array): Generator<Uint8Array, void> {
    if (chunk.length > 0) this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#isComplete()) yield this.#take();
  }

  #isComplete(): boolean {
    this.#needed ??= this.#readLength();
    return this.#needed !== undefined && this.#size >= this.#needed;
  }

  #readLength(): number | undefined {
    const first = this.#chunks[0];
    if (first === undefined) return undefined;
    const start = first.length < LENGTH_BYTES ? concat(...this.#chunks.slice(0, LENGTH_BYTES)) : first;
    let length = 0;
    for (let at = 0; at < LENGTH_BYTES; at += 1) {
      const byte = start[at];
      if (byte === undefined) return undefined;
      length += (byte & 0x7f) * 2 ** (7 * at);
      if (length > this.#maximum)
        throw new MalformedMessage(`message of ${length} bytes or more; at most ${this.#maximum} are read`);
      if (byte > 0x7f) continue;
      this.#header = at + 1;
      return length + this.#header;
    }
    throw new MalformedMessage('not the length of a message');
  }

  #take(): Uint8Array {
    const needed = this.#needed ?? 0;
    const [first] = this.#chunks;
    this.#needed = undefined;
    if (first !== undefined && first.length >= needed) {
      this.#keepRest(needed);
      // `slice` of a Buffer is a view.
      return new Uint8Array(first.subarray(this.#header, needed));
    }
    const joined = concat(...this.#chunks);
    this.#chunks.splice(0, this.#chunks.length, joined);
    this.#keepRest(needed);
    return joined.subarray(this.#header, needed);
  }

  /** Drops the first bytes, which are in the first chunk. */
  #keepRest(taken: number): void {
    const [first] = this.#chunks;
    if (first === undefined || first.length === taken) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(taken);
    this.#size -= taken;
  }
}

/** A message with its length before it. */
export function frame(message: Uint8Array): Uint8Array {
  return concat(varint(message.length), message);
}

/** An unsigned varint of a number below 2^53. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
