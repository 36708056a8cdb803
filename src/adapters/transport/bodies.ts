/** Collects request bodies as they arrive. */
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { ByteBudget } from './byte-budget.js';
import { TOO_MANY_BYTES } from './rules.js';
import type { Headers, HttpResponse } from './server.js';

/** Body limits of a server. */
export interface BodyRules {
  /** Maximum bytes of a body. */
  readonly maximum: number;
  /** Budget of all bodies together. */
  readonly budget: ByteBudget;
  /** The response to a body that is too large. */
  readonly tooLarge: HttpResponse;
}

/** State after a piece: `more` to come, `whole`, or rejected with this response. */
export type BodyState = 'more' | 'whole' | HttpResponse;

/**
 * Collects a body within its maximum and the server's budget. The rest of a rejected body is read and discarded
 * before the response is sent, up to a limit, because closing a connection with unread bytes resets it and a client
 * that is still sending loses the response (RFC 9112, section 9.6).
 */
export class BodyCollector {
  #chunks: Uint8Array[] = [];
  #length = 0;
  #taken = 0;
  #refusal: HttpResponse | undefined;
  #thrown = 0;

  constructor(private readonly rules: BodyRules) {}

  get length(): number {
    return this.#length;
  }

  /** Starts with the request headers. A body that is far too large is rejected at once. */
  begin(headers: Headers): BodyState {
    const length = Number(headers.get('content-length') ?? 0);
    if (length <= this.rules.maximum) return 'more';
    this.#refusal = this.rules.tooLarge;
    return length > FIXED_LIMITS.refusedBodyBytes ? this.#refusal : 'more';
  }

  /** Adds a copy of a piece (uWebSockets.js reuses its memory). `check` may reject the body. */
  take(piece: Uint8Array, isLast: boolean, check?: (piece: Uint8Array) => HttpResponse | undefined): BodyState {
    this.#refusal ??= check?.(piece) ?? this.#add(piece);
    if (this.#refusal === undefined) return isLast ? 'whole' : 'more';
    this.release();
    this.#thrown += piece.length;
    return isLast || this.#thrown > FIXED_LIMITS.refusedBodyBytes ? this.#refusal : 'more';
  }

  #add(chunk: Uint8Array): HttpResponse | undefined {
    this.#length += chunk.length;
    if (this.#length > this.rules.maximum) return this.rules.tooLarge;
    if (!this.rules.budget.take(chunk.length)) return TOO_MANY_BYTES;
    this.#taken += chunk.length;
    if (chunk.length > 0) this.#chunks.push(copyOf(chunk));
    return undefined;
  }

  /** Returns the bytes to the budget, when the request is answered or abandoned. */
  release(): void {
    this.#chunks = [];
    this.rules.budget.give(this.#taken);
    this.#taken = 0;
  }

  bytes(): Uint8Array {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const whole = new Uint8Array(this.#length);
    let offset = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, offset);
      offset += chunk.length;
    }
    return whole;
  }
}

/** Largest piece in bytes that is copied into Node's shared buffer pool. */
const SHARED_BYTES = 2_048;

/**
 * Copies a piece. A small one uses the shared pool, because allocating and collecting its own array costs more than
 * the copy.
 */
function copyOf(chunk: Uint8Array): Uint8Array {
  if (chunk.length > SHARED_BYTES) return chunk.slice();
  const { buffer, byteOffset, length } = Buffer.from(chunk);
  return new Uint8Array(buffer, byteOffset, length);
}
