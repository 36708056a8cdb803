/** Bodies of requests while they arrive. */
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { ByteBudget } from './byte-budget.js';
import { TOO_MANY_BYTES } from './rules.js';
import type { Headers, HttpResponse } from './server.js';

/** Rules that the bodies of a server share. */
export interface BodyRules {
  /** Bytes of one body. */
  readonly maximum: number;
  /** Bytes of all of them. */
  readonly budget: ByteBudget;
  /** The answer to one that is too large. */
  readonly tooLarge: HttpResponse;
}

/** State of a body after a piece: `more` of it comes, it is `whole`, or it is refused and this is to be answered. */
export type BodyState = 'more' | 'whole' | HttpResponse;

/**
 * Collects a body up to its own maximum and within the budget of its server. What is left of a body that is refused is
 * read and thrown away before the answer is sent, up to a limit: a connection that is closed with unread bytes is
 * reset, and its client, which still sends, loses the answer (RFC 9112, section 9.6).
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

  /** Takes the head of the request. A body that is far too large is answered at once. */
  begin(headers: Headers): BodyState {
    const length = Number(headers.get('content-length') ?? 0);
    if (length <= this.rules.maximum) return 'more';
    this.#refusal = this.rules.tooLarge;
    return length > FIXED_LIMITS.refusedBodyBytes ? this.#refusal : 'more';
  }

  /** Takes a piece and copies it (uWebSockets.js reuses its memory). `check` may refuse the body for this piece. */
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

  /** Returns its bytes to the budget: the request was answered or abandoned. */
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

/** Longest piece that is copied into memory which the runtime shares among small buffers, bytes. */
const SHARED_BYTES = 2_048;

/** A copy of a piece. A small one gets no array of its own, whose making and collection cost more than the copy. */
function copyOf(chunk: Uint8Array): Uint8Array {
  if (chunk.length > SHARED_BYTES) return chunk.slice();
  const { buffer, byteOffset, length } = Buffer.from(chunk);
  return new Uint8Array(buffer, byteOffset, length);
}
