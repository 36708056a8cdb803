/**
 * A connection whose calls reach the HTTP/2 library a few at a time. The library decodes all that it gets at once and
 * makes an object for each call, also for one whose reset follows in the same packet (CVE-2023-44487), which no limit
 * of calls at a time counts.
 */
import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { Limits } from '../../core/limits/limits.js';
import { concat, utf8 } from '../../core/bytes/bytes.js';
import type { Timers } from '../../core/ports/time.js';
import type { Turns } from '../transport/index.js';
import { FRAME_HEADERS, FRAME_RST_STREAM, FrameHeaders } from './frame-headers.js';

/** Codes of errors (RFC 9113 7). */
const NO_ERROR = 0;
const ENHANCE_YOUR_CALM = 11;

/** GOAWAY with a code, last call 0 and a text (RFC 9113 6.8). */
function goAway(code: number, text: string): Uint8Array {
  return Uint8Array.of(0, 0, 8 + text.length, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, code, ...utf8(text));
}

/**
 * All that a client is sent whose connection has no room: the settings that must come first, and the reason. Its calls
 * fail as UNAVAILABLE, so that it may try again.
 */
export function refusalOf(reason: string): Uint8Array {
  return concat(Uint8Array.of(0, 0, 0, 4, 0, 0, 0, 0, 0), goAway(NO_ERROR, reason));
}

export interface PacedOptions {
  /** Calls that begin. */
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
  /** Ends the wait for the rest of a frame. */
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

  /** Passes a chunk on from `at`, up to the call that is one too many for this turn. */
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

  /** Begins to wait for the rest of a frame. */
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

  /** The library writes header and payload of a frame apart: together they need one system call. */
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
