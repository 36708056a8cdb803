import type { HttpResponse as UwsResponse } from 'uWebSockets.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';
import type { PullStream } from '../../core/ports/pull-stream.js';
import { StallWatch } from './stall-watch.js';

/**
 * Sends a chunked body at the client's pace. uWebSockets.js copies what the kernel does not take, reports that, and
 * resumes only when another chunk is written. So a few bytes are held back, and one of them is written at each drain
 * until the kernel takes it.
 */
export class StreamSender {
  readonly #native: UwsResponse;
  readonly #stream: PullStream<Uint8Array>;
  readonly #watch: StallWatch;
  /** Bytes that were not passed to the library yet. */
  #rest = new Uint8Array(0);
  #isAborted = false;
  /** Resolver of the wait for room; set while the kernel's buffer is full. */
  #resume: (() => void) | undefined;

  /** Create it after status and headers were written. `stallMs`: longest time without progress, in milliseconds. */
  constructor(native: UwsResponse, stream: PullStream<Uint8Array>, timers: Timers, stallMs: number) {
    this.#native = native;
    this.#stream = stream;
    this.#watch = new StallWatch(timers, stallMs, () => native.close());
    native.onWritable(() => this.#writable());
  }

  /** Call it when the connection has ended: the response must not be used any more. */
  aborted(): void {
    this.#isAborted = true;
    this.#watch.stop();
    this.#stream.end();
    this.#wake();
  }

  /** Sends the body; resolves when it is handed over, or the connection has ended. */
  async run(): Promise<void> {
    try {
      while (!this.#isAborted) {
        const next = await this.#stream.next();
        if (this.#isAborted) return;
        if (next === undefined) break;
        this.#rest = joined(this.#rest, next);
        await this.#send();
      }
      // the library itself sends the remaining bytes
      if (!this.#isAborted) this.#native.cork(() => this.#native.end(this.#rest));
    } catch {
      // close the connection: a missing end is the only way to signal the failure
      if (!this.#isAborted) this.#native.close();
    } finally {
      this.#watch.stop();
      this.#stream.end();
    }
  }

  /** Sends the available bytes, except those held back. */
  async #send(): Promise<void> {
    while (!this.#isAborted) {
      const bytes = Math.min(this.#rest.length - FIXED_LIMITS.streamKeptBytes, FIXED_LIMITS.streamChunkBytes);
      if (bytes <= 0) return;
      if (!this.#write(bytes)) await this.#taken();
    }
  }

  /** Writes some of the available bytes; false if the kernel has not taken all. */
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
