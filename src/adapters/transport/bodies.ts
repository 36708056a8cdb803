/** Bodies of requests while they arrive. */
import type { ByteBudget } from './byte-budget.js';
import type { Headers } from './server.js';

/** The declared body length exceeds the maximum: answered before anything is read. */
export function declaresTooMuch(headers: Headers, maximum: number): boolean {
  return Number(headers.get('content-length') ?? 0) > maximum;
}

/** Collects a body up to its own maximum and within the budget of its server. */
export class BodyCollector {
  #chunks: Uint8Array[] = [];
  #length = 0;
  #taken = 0;

  constructor(
    private readonly maximum: number,
    private readonly budget: ByteBudget,
  ) {}

  get length(): number {
    return this.#length;
  }

  /** Copies the chunk (uWebSockets.js reuses its memory). */
  add(chunk: Uint8Array): 'added' | 'too-large' | 'no-budget' {
    this.#length += chunk.length;
    if (this.#length > this.maximum) return 'too-large';
    if (!this.budget.take(chunk.length)) return 'no-budget';
    this.#taken += chunk.length;
    if (chunk.length > 0) this.#chunks.push(copyOf(chunk));
    return 'added';
  }

  /** Returns its bytes to the budget: the request was answered or abandoned. */
  release(): void {
    this.#chunks = [];
    this.budget.give(this.#taken);
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
