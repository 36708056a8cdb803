import type { HttpResponse as UwsResponse } from 'uWebSockets.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';
import type { PullStream } from '../../core/pull-stream.js';
import { StallWatch } from './stall-watch.js';

/**
 * Sends a body in chunks as its client takes them. uWebSockets.js copies what the kernel does not take, says whether
 * that happened, and goes on with it only when a further chunk is written. So some bytes are kept at hand, and one of
 * them is written each time that the kernel takes more, until that byte goes through.
 */
export class StreamSender {
  readonly #native: UwsResponse;
  readonly #stream: PullStream<Uint8Array>;
  readonly #watch: StallWatch;
  /** Bytes at hand that the library does not have. */
  #rest = new Uint8Array(0);
  #isAborted = false;
  /** Set while the kernel has no room. */
  #resume: (() => void) | undefined;

  /** Status and headers were written; `stallMs`: longest time in which the client takes nothing, milliseconds. */
  constructor(native: UwsResponse, stream: PullStream<Uint8Array>, timers: Timers, stallMs: number) {
    this.#native = native;
    this.#stream = stream;
    this.#watch = new StallWatch(timers, stallMs, () => native.close());
    native.onWritable(() => this.#writable());
  }

  /** The connection ended: its response must not be used. */
  aborted(): void {
    this.#isAborted = true;
    this.#watch.stop();
    this.#stream.end();
    this.#wake();
  }

  /** Resolves when the body was handed over, or the connection ended. */
  async run(): Promise<void> {
    try {
      while (!this.#isAborted) {
        const next = await this.#stream.next();
        if (this.#isAborted) return;
        if (next === undefined) break;
        this.#rest = joined(this.#rest, next);
        await this.#send();
      }
      // the library itself goes on with the last bytes
      if (!this.#isAborted) this.#native.cork(() => this.#native.end(this.#rest));
    } catch {
      // the client can see it by the missing end only
      if (!this.#isAborted) this.#native.close();
    } finally {
      this.#watch.stop();
      this.#stream.end();
    }
  }

  /** Sends what is at hand, but those bytes that are kept. */
  async #send(): Promise<void> {
    while (!this.#isAborted) {
      const bytes = Math.min(this.#rest.length - FIXED_LIMITS.streamKeptBytes, FIXED_LIMITS.streamChunkBytes);
      if (bytes <= 0) return;
      if (!this.#write(bytes)) await this.#taken();
    }
  }

  /** Writes some of the bytes at hand; false when the kernel has not taken all of them. */
  #write(bytes: number): boolean {
    const chunk = this.#rest.subarray(0, bytes);
    this.#rest = this.#rest.subarray(chunk.length);
    let isTaken = false;
    this.#native.cork(() => {
      isTaken = this.#native.write(chunk);
    });
    return isTaken;
  }

  #taken(): Promise<void> {
    this.#watch.wrote(1);
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  #writable(): boolean {
    if (this.#resume === undefined) return true;
    this.#watch.progressed(1);
    if (!this.#write(1)) return false;
    this.#watch.stop();
    this.#wake();
    return true;
  }

  #wake(): void {
    this.#resume?.();
    this.#resume = undefined;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
