/**
 * Finds the frame boundaries in the bytes of an HTTP/2 client without decoding payloads (RFC 9113 4.1): a nine-byte
 * header with length and type, then the payload. The connection begins with a 24-byte preface (3.4).
 */
export class FrameHeaders {
  /** Bytes before the next frame header. */
  #skip = 24;
  readonly #header = new Uint8Array(HEADER_BYTES);
  /** Number of header bytes received so far. */
  #have = 0;
  #isFieldBlockOpen = false;
  /** True once a frame was seen. */
  #hasBegun = false;

  /** True inside a header block, which may take several frames (RFC 9113 6.2 and 6.10). */
  get isInFieldBlock(): boolean {
    return this.#isFieldBlockOpen;
  }

  /** True between two frames and outside of a header block, once a frame was seen. */
  get isComplete(): boolean {
    return this.#hasBegun && this.#skip === 0 && this.#have === 0 && !this.#isFieldBlockOpen;
  }

  /**
   * Reads from `at` past the next frame header. Returns the position after it and the frame type. Undefined if the
   * chunk ends before; then call it with the next chunk at 0.
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

/** HEADERS frame, which begins a call. */
export const FRAME_HEADERS = 1;
/** RST_STREAM frame, which cancels a call. */
export const FRAME_RST_STREAM = 3;
const FRAME_CONTINUATION = 9;
const END_HEADERS = 4;
