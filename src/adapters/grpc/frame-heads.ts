/**
 * Follows the frames that a client sends on an HTTP/2 connection without decoding them (RFC 9113 4.1): nine bytes of
 * head with length and type, then the payload. The connection begins with a preface of 24 bytes (3.4).
 */
export class FrameHeads {
  /** Bytes before the next head. */
  #skip = 24;
  readonly #head = new Uint8Array(HEAD_BYTES);
  #have = 0;
  #isHeadOpen = false;
  /** A frame was seen. */
  #hasBegun = false;

  /** True within the head of a call, which may take several frames (RFC 9113 6.2 and 6.10). */
  get isInHead(): boolean {
    return this.#isHeadOpen;
  }

  /** True between two frames, of which the first one was seen, and outside of the head of a call. */
  get isComplete(): boolean {
    return this.#hasBegun && this.#skip === 0 && this.#have === 0 && !this.#isHeadOpen;
  }

  /**
   * Reads from `at` to after the next head. Returns that position with the type of the frame, or undefined when the
   * chunk ends before; then reading goes on with the next chunk, from 0.
   */
  next(chunk: Uint8Array, at: number): { readonly at: number; readonly type: number } | undefined {
    const start = at + this.#skip;
    if (start >= chunk.length) {
      this.#skip = start - chunk.length;
      return undefined;
    }
    this.#skip = 0;
    const taken = Math.min(HEAD_BYTES - this.#have, chunk.length - start);
    for (let index = 0; index < taken; index += 1) this.#head[this.#have + index] = chunk[start + index] ?? 0;
    this.#have += taken;
    if (this.#have < HEAD_BYTES) return undefined;
    this.#have = 0;
    const [high = 0, middle = 0, low = 0, type = 0, flags = 0] = this.#head;
    if (type === FRAME_HEADERS || type === FRAME_CONTINUATION) this.#isHeadOpen = (flags & END_HEADERS) === 0;
    this.#hasBegun = true;
    this.#skip = high * 65_536 + middle * 256 + low;
    return { at: start + taken, type };
  }
}

const HEAD_BYTES = 9;
/** Types of frames: the first one of a call, and the end of a call before its answer. */
export const FRAME_HEADERS = 1;
export const FRAME_RST_STREAM = 3;
const FRAME_CONTINUATION = 9;
const END_HEADERS = 4;
