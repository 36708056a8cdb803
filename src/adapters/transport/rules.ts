/** Rules about requests that both transports apply alike. */
import type { Headers, HttpResponse, RequestHead } from './server.js';

export function plainText(status: number, body: string): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }, body };
}

export const BODY_TOO_LARGE = plainText(413, 'request body too large\n');
export const HANDLER_FAILED = plainText(500, 'internal error\n');
export const TOO_MANY_SOCKETS = plainText(503, 'too many websocket connections\n');
export const DUPLICATE_HEADER = plainText(400, 'duplicate header\n');

/** Headers that decide about framing or trust: two of them are an attack or a defect (reliability-security.md 0, F10). */
const SINGLE = new Set(['content-length', 'host', 'origin', 'transfer-encoding']);

/** Joins header lines into a map; undefined when a header that must be single is repeated. */
export function collectHeaders(lines: Iterable<readonly [name: string, value: string]>): Headers | undefined {
  const headers = new Map<string, string>();
  for (const [rawName, value] of lines) {
    const name = rawName.toLowerCase();
    const present = headers.get(name);
    if (present === undefined) headers.set(name, value);
    else if (SINGLE.has(name)) return undefined;
    else headers.set(name, `${present}, ${value}`);
  }
  return headers;
}

/** Splits a request target in origin form. */
export function requestHead(method: string, target: string, headers: Headers): RequestHead {
  const mark = target.indexOf('?');
  return mark < 0
    ? { method, path: target, query: '', headers }
    : { method, path: target.slice(0, mark), query: target.slice(mark + 1), headers };
}

/** The declared body length exceeds the maximum: answered before anything is read. */
export function declaresTooMuch(headers: Headers, maximum: number): boolean {
  return Number(headers.get('content-length') ?? 0) > maximum;
}

/** Collects a body up to a maximum. */
export class BodyCollector {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(private readonly maximum: number) {}

  /** Copies the chunk (uWebSockets.js reuses its memory); false when the body became too large. */
  add(chunk: Uint8Array): boolean {
    this.#length += chunk.length;
    if (this.#length > this.maximum) return false;
    if (chunk.length > 0) this.#chunks.push(chunk.slice());
    return true;
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

/** Counts answers under way and tells when there are none. */
export class InFlight {
  #count = 0;
  #waiting: (() => void)[] = [];

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  idle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
