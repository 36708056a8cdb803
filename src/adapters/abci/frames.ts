/**
 * Framing of the ABCI socket protocol: the length as an unsigned varint, then the message (CometBFT v0.38 spec,
 * abci/abci++_client_server, "Socket").
 */
import { concat, concatAll } from '../../core/bytes/bytes.js';

/** Maximum bytes of a length prefix: 2^35 is far above every limit. */
const LENGTH_BYTES = 5;

/** The bytes are not a valid message; the connection cannot be read any further. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** Splits the byte stream of a connection into messages. */
export class FrameReader {
  readonly #maximum: number;
  readonly #chunks: Uint8Array[] = [];
  /** Total bytes in `#chunks`. */
  #size = 0;
  /** Bytes of the next frame with its length prefix; undefined until the prefix is complete. */
  #needed: number | undefined;
  /** Bytes of the length prefix. */
  #header = 0;

  /** `maximum`: largest message in bytes. */
  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** True if a message is incomplete. */
  get isWithin(): boolean {
    return this.#size > 0;
  }

  /**
   * Adds bytes and yields the messages that are now complete, as copies. Throws MalformedMessage for an invalid
   * length or one above the maximum.
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
    const start = first.length < LENGTH_BYTES ? concatAll(this.#chunks.slice(0, LENGTH_BYTES)) : first;
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
      // Copy explicitly: `slice` of a Buffer returns a view.
      return new Uint8Array(first.subarray(this.#header, needed));
    }
    const joined = concatAll(this.#chunks);
    this.#chunks.splice(0, this.#chunks.length, joined);
    this.#keepRest(needed);
    return joined.subarray(this.#header, needed);
  }

  /** Drops the first `taken` bytes, which are in the first chunk. */
  #keepRest(taken: number): void {
    const [first] = this.#chunks;
    if (first === undefined || first.length === taken) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(taken);
    this.#size -= taken;
  }
}

/** Encodes a frame: the length prefix and the message. */
export function frame(message: Uint8Array): Uint8Array {
  return concat(varint(message.length), message);
}

/** Encodes a number below 2^53 as an unsigned varint. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
