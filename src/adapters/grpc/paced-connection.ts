/**
 * A connection that passes calls to the HTTP/2 library a few at a time. The library decodes all received bytes at
 * once and creates an object for each call, even if its reset follows in the same packet (CVE-2023-44487, "rapid
 * reset"), which limits on concurrent calls do not count.
 */
import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { Limits } from '../../core/limits/limits.js';
import { concat, utf8 } from '../../core/bytes/bytes.js';
import type { Timers } from '../../core/ports/time.js';
import type { Turns } from '../transport/index.js';
import { FRAME_HEADERS, FRAME_RST_STREAM, FrameHeaders } from './frame-headers.js';

/** HTTP/2 error codes (RFC 9113 7). */
const NO_ERROR = 0;
const ENHANCE_YOUR_CALM = 11;

/** Encodes a GOAWAY frame with a code, last stream id 0 and a debug text (RFC 9113 6.8). */
function goAway(code: number, text: string): Uint8Array {
  const header = Uint8Array.of(0, 0, 8 + text.length, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, code);
  return concat(header, utf8(text));
}

/**
 * The bytes sent to a client whose connection is rejected: the mandatory SETTINGS frame, then GOAWAY with the reason.
 * Its calls fail with UNAVAILABLE, so it may retry.
 */
export function refusalOf(reason: string): Uint8Array {
  return concat(Uint8Array.of(0, 0, 0, 4, 0, 0, 0, 0, 0), goAway(NO_ERROR, reason));
}

export interface PacedOptions {
  /** Scheduler for beginning calls. */
  readonly turns: Pick<Turns, 'begin'>;
  readonly timers: Pick<Timers, 'after'>;
  readonly limits: Pick<Limits, 'grpcResets' | 'grpcFrameMs'>;
}

export class PacedConnection extends Duplex {
  readonly #headers = new FrameHeaders();
  #calls = 0;
  #resets = 0;
  #held: { readonly chunk: Uint8Array; readonly at: number } | undefined;
  #ended = false;
  /** Cancels the timeout for the rest of a frame. */
  #arrived: (() => void) | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly options: PacedOptions,
  ) {
    super({ allowHalfOpen: true });
    this.#await();
    socket.on('data', (chunk: Uint8Array) => {
      this.#pass(chunk, 0);
    });
    socket.on('end', () => {
      this.#ended = true;
      if (this.#held === undefined) this.push(null);
    });
    socket.on('error', () => this.destroy());
    socket.on('close', () => this.destroy());
  }

  /** Passes a chunk from `at` on to the library, up to the first call that must wait for a later turn. */
  #pass(chunk: Uint8Array, at: number): void {
    let from = at;
    let hasProgress = false;
    for (let next = this.#headers.next(chunk, at); next !== undefined; next = this.#headers.next(chunk, next.at)) {
      hasProgress ||= !this.#headers.isInFieldBlock;
      if (next.type === FRAME_RST_STREAM) this.#resets += 1;
      const { grpcResets } = this.options.limits;
      if (this.#resets > grpcResets + this.#calls / 2) {
        this.#calm(`limit grpcResets (${grpcResets}) exceeded`);
        return;
      }
      if (next.type !== FRAME_HEADERS) continue;
      this.#calls += 1;
      if (this.options.turns.begin(this.#resume)) continue;
      const { at: end } = next;
      this.push(chunk.subarray(from, end));
      from = end;
      this.#held = { chunk, at: end };
      this.socket.pause();
      this.#stopWaiting();
      return;
    }
    if (this.#headers.isComplete) this.#stopWaiting();
    else if (hasProgress || this.#arrived === undefined) this.#await();
    if (!this.push(from === 0 ? chunk : chunk.subarray(from))) this.socket.pause();
  }

  readonly #resume = (): void => {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined || this.destroyed) return;
    this.#pass(held.chunk, held.at);
    if (this.#held !== undefined) return;
    if (this.#ended) this.push(null);
    else this.socket.resume();
  };

  /** Starts the timeout for the rest of a frame. */
  #await(): void {
    const { timers, limits } = this.options;
    this.#stopWaiting();
    this.#arrived = timers.after(limits.grpcFrameMs, () =>
      this.#calm(`limit grpcFrameMs (${limits.grpcFrameMs}) exceeded`),
    );
  }

  #stopWaiting(): void {
    this.#arrived?.();
    this.#arrived = undefined;
  }

  #calm(text: string): void {
    this.socket.end(goAway(ENHANCE_YOUR_CALM, text));
    this.socket.destroySoon();
    this.destroy();
  }

  override _read(): void {
    if (this.#held === undefined) this.socket.resume();
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done);
  }

  /** Joins writes, because the library writes header and payload of a frame separately: this saves a system call. */
  override _writev(chunks: readonly { readonly chunk: Uint8Array }[], done: (error?: Error | null) => void): void {
    this.socket.cork();
    for (const [index, { chunk }] of chunks.entries())
      this.socket.write(chunk, index === chunks.length - 1 ? done : undefined);
    this.socket.uncork();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#held = undefined;
    this.#stopWaiting();
    if (!this.socket.writableEnded) this.socket.destroy();
    done(error);
  }
}
