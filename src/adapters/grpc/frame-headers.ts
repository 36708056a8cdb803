/**
 * Follows the frames that a client sends on an HTTP/2 connection without decoding them (RFC 9113 4.1): nine bytes of
 * header with length and type, then the payload. The connection begins with a preface of 24 bytes (3.4).
 */
export class FrameHeaders {
  /** Bytes before the next frame header. */
  #skip = 24;
  readonly #header = new Uint8Array(HEADER_BYTES);
  /** Number of header bytes received so far. */
  #have = 0;
  #isFieldBlockOpen = false;
  /** A frame was seen. */
  #hasBegun = false;

  /** True within the header fields of a call, which may take several frames (RFC 9113 6.2 and 6.10). */
  get isInFieldBlock(): boolean {
    return this.#isFieldBlockOpen;
  }

  /** True between two frames, of which the first one was seen, and outside of the header fields of a call. */
  get isComplete(): boolean {
    return this.#hasBegun && this.#skip === 0 && this.#have === 0 && !this.#isFieldBlockOpen;
  }

  /**
   * Reads from `at` past the next frame header. Returns the position after it with the type of the frame, or undefined
   * when the chunk ends before; then reading goes on with the next chunk, from 0.
   */
  next(chunk: Uint8Array, at: number): { readonly at: number; readonly type: number } | undefined {
    const start = at + this.#skip;
    if (start >= chunk.length) {
      this.#skip = start - chunk.length;
      return undefined;
    }
    this.#skip = 0;
    const taken = Math.min(HEADER_BYTES - this.#have, chunk.length - start);
    for (let index = 0; index < taken; index += 1) this.#header[this.#have + index] = chunk[start + index] ?? 0;
    this.#have += taken;
    if (this.#have < HEADER_BYTES) return undefined;
    this.#have = 0;
    const [high = 0, middle = 0, low = 0, type = 0, flags = 0] = this.#header;
    if (type === FRAME_HEADERS || type === FRAME_CONTINUATION) this.#isFieldBlockOpen = (flags & END_HEADERS) === 0;
    this.#hasBegun = true;
    this.#skip = high * 65_536 + middle * 256 + low;
    return { at: start + taken, type };
  }
}

const HEADER_BYTES = 9;

/** Type of the frame that begins a call. */
export const FRAME_HEADERS = 1;
/** Type of the frame that ends a call before its answer. */
export const FRAME_RST_STREAM = 3;
const FRAME_CONTINUATION = 9;
const END_HEADERS = 4;
