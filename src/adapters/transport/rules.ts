/** Rules about requests that both transports apply alike. */
import { DEFAULT_LIMITS } from '../../core/limits.js';
import type { Timers } from '../../core/ports/time.js';
import { remembering } from './remember.js';
import { RequestRate } from './request-rate.js';
import type { Headers, HttpResponse, RequestHead, TransportLimits } from './server.js';

export function plainText(status: number, body: string): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body,
  };
}

export const BODY_TOO_LARGE = plainText(413, 'request body too large\n');
export const HANDLER_FAILED = plainText(500, 'internal error\n');
export const TOO_MANY_SOCKETS = plainText(503, 'too many websocket connections\n');
export const DUPLICATE_HEADER = plainText(400, 'duplicate header\n');
export const TOO_MANY_BYTES = plainText(503, 'too many request bytes are waiting\n');
export const TOO_MANY_ANSWER_BYTES = plainText(
  503,
  `too many answer bytes are waiting: limit pendingAnswerBytes (${DEFAULT_LIMITS.pendingAnswerBytes}) exceeded\n`,
);
export const TOO_MANY_REQUESTS = plainText(429, 'too many requests\n');
/** Close code and reason for a websocket that sends too many requests (RFC 6455: policy violation). */
export const GREEDY_CLIENT = { code: 1008, reason: 'too many requests' } as const;

/** A status whose answer has neither body nor length (RFC 9110 8.6). */
export const NO_CONTENT = 204;
/** Close code and reason for a websocket whose client does not read (RFC 6455: try again later). */
export const SLOW_CLIENT = { code: 1013, reason: 'slow client' } as const;

/** Completes the limits of a server with default values. */
export function completeLimits(limits: TransportLimits): Required<TransportLimits> {
  return {
    connections: DEFAULT_LIMITS.connections,
    webSocketsPerAddress: DEFAULT_LIMITS.webSocketsPerAddress,
    requestsPerSecond: DEFAULT_LIMITS.requestsPerSecond,
    requestBurst: DEFAULT_LIMITS.requestBurst,
    limitLoopback: false,
    pendingBodyBytes: DEFAULT_LIMITS.pendingBodyBytes,
    stallMs: DEFAULT_LIMITS.socketStallMs,
    ...limits,
  };
}

/**
 * Headers that decide about framing or trust. A repeated one is refused: uWebSockets.js would accept two different
 * values.
 */
const SINGLE = new Set(['content-length', 'host', 'origin', 'transfer-encoding']);

/** Joins header lines into a map; undefined when a header that must be single is repeated. */
export function collectHeaders(lines: Iterable<readonly [name: string, value: string]>): Headers | undefined {
  const headers = new Map<string, string>();
  for (const [name, value] of lines) if (!addHeader(headers, name.toLowerCase(), value)) return undefined;
  return headers;
}

/** Adds a line, whose name is lower-case; false when a header that must be single is repeated. */
export function addHeader(headers: Map<string, string>, name: string, value: string): boolean {
  const present = headers.get(name);
  if (present !== undefined && SINGLE.has(name)) return false;
  headers.set(name, present === undefined ? value : `${present}, ${value}`);
  return true;
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

/** Bytes of all bodies that a server holds at one time. */
export class BodyBudget {
  #used = 0;

  constructor(private readonly maximum: number) {}

  take(bytes: number): boolean {
    if (this.#used + bytes > this.maximum) return false;
    this.#used += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#used -= bytes;
  }
}

/** Collects a body up to its own maximum and within the budget of its server. */
export class BodyCollector {
  #chunks: Uint8Array[] = [];
  #length = 0;
  #taken = 0;

  constructor(
    private readonly maximum: number,
    private readonly budget: BodyBudget,
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

/** Counts the websockets of each address. */
export class AddressCounter {
  readonly #open = new Map<string, number>();

  constructor(private readonly maximum: number) {}

  /** Number of addresses with an open websocket; other addresses are not remembered. */
  get addresses(): number {
    return this.#open.size;
  }

  isFull(address: string): boolean {
    return (this.#open.get(address) ?? 0) >= this.maximum;
  }

  add(address: string): void {
    this.#open.set(address, (this.#open.get(address) ?? 0) + 1);
  }

  remove(address: string): void {
    const left = (this.#open.get(address) ?? 0) - 1;
    if (left > 0) this.#open.set(address, left);
    else this.#open.delete(address);
  }
}

/** Limits for each address; loopback is exempt unless `limitLoopback` is set. */
export class Allowance {
  readonly #sockets: AddressCounter;
  readonly #rate: RequestRate;

  constructor(
    timers: Timers,
    private readonly limits: Required<TransportLimits>,
  ) {
    this.#sockets = new AddressCounter(limits.webSocketsPerAddress);
    this.#rate = new RequestRate(timers, limits.requestsPerSecond, limits.requestBurst);
  }

  mayOpenSocket(address: string): boolean {
    return this.#isExempt(address) || !this.#sockets.isFull(address);
  }

  socketOpened(address: string): void {
    this.#sockets.add(address);
  }

  socketClosed(address: string): void {
    this.#sockets.remove(address);
  }

  /** True when a server that listens on `host` can be reached only from this machine, whose address has no limits. */
  exemptsAllOf(host: string): boolean {
    return !this.limits.limitLoopback && (host === 'localhost' || isLoopback(host));
  }

  /** Takes a token for one request or message; false when none is left. */
  mayAsk(address: string): boolean {
    return this.#isExempt(address) || this.#rate.take(address);
  }

  stop(): void {
    this.#rate.stop();
  }

  #isExempt(address: string): boolean {
    return !this.limits.limitLoopback && isLoopback(address);
  }
}

/** `127.0.0.0/8` and `::1`, also in the spellings of both libraries. */
export const isLoopback = remembering(
  (address) =>
    /^(?:::ffff:|0000:0000:0000:0000:0000:ffff:)?127\./.test(address) ||
    /^(?:::1|(?:0000:){7}0001|0000:0000:0000:0000:0000:ffff:7f[0-9a-f]{2}:[0-9a-f]{4})$/.test(address),
);

/** Counts answers in progress and reports when there are none. */
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
