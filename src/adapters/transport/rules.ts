/** Request rules common to both transports. */
import { DEFAULT_LIMITS } from '../../core/limits/limits.js';
import type { MessageLimit } from './held-messages.js';
import type { Headers, HttpResponse, RequestHead, TransportLimits } from './server.js';

/** Creates a plain text response. */
export function plainText(status: number, body: string): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body,
  };
}

export const BODY_TOO_LARGE = plainText(413, 'request body too large\n');
export const HANDLER_FAILED = plainText(500, 'internal error\n');
export const TOO_MANY_SOCKETS = plainText(503, 'too many websocket connections (limit connections)\n');
export const TOO_MANY_SOCKETS_OF_ADDRESS = plainText(
  503,
  'too many websocket connections of one address (limit webSocketsPerAddress)\n',
);
/** The response to a connection that is rejected and closed. */
export function noConnection(reason: string): HttpResponse {
  return plainText(503, `${reason}\n`);
}
export const DUPLICATE_HEADER = plainText(400, 'duplicate header\n');
export const TOO_MANY_BYTES = plainText(503, 'too many request bytes are waiting (limit pendingBodyBytes)\n');
export const TOO_MANY_ANSWER_BYTES = plainText(
  503,
  `too many answer bytes are waiting: limit pendingAnswerBytes (${DEFAULT_LIMITS.pendingAnswerBytes}) exceeded\n`,
);
export const TOO_MANY_REQUESTS = plainText(429, 'too many requests of one address (limit requestsPerSecond)\n');
/** Close code and reasons for a websocket that sends too much (RFC 6455: policy violation). */
export const GREEDY_ADDRESS = {
  code: 1008,
  reason: 'too many requests of one address (limit requestsPerSecond)',
} as const;
const GREEDY_SOCKET = {
  code: 1008,
  reason: 'too many bytes of one websocket are waiting (limit socketMessageBytes)',
} as const;
/** Close code and reason for a websocket if the process's message budget is exhausted (RFC 6455: try again later). */
const NO_ROOM = {
  code: 1013,
  reason: 'too many bytes of websockets are waiting (limit pendingMessageBytes)',
} as const;
/** Close code and reason by exceeded message limit. */
export const NO_ROOM_BY: Readonly<Record<MessageLimit, { readonly code: number; readonly reason: string }>> = {
  pendingMessageBytes: NO_ROOM,
  socketMessageBytes: GREEDY_SOCKET,
};
export const GREEDY_CLIENT = {
  code: 1008,
  reason: 'too many requests are waiting (limit webSocketWaitingMessages)',
} as const;

/** Status without body and length (RFC 9110 8.6). */
export const NO_CONTENT = 204;
/** Close code and reason for a websocket whose client does not read (RFC 6455: try again later). */
export const SLOW_CLIENT = { code: 1013, reason: 'slow client' } as const;

/** Adds defaults to the limits of a server. */
export function completeLimits(limits: TransportLimits): Required<TransportLimits> {
  return {
    connections: DEFAULT_LIMITS.connections,
    webSocketsPerAddress: DEFAULT_LIMITS.webSocketsPerAddress,
    requestsPerSecond: DEFAULT_LIMITS.requestsPerSecond,
    requestBurst: DEFAULT_LIMITS.requestBurst,
    limitLoopback: false,
    pendingBodyBytes: DEFAULT_LIMITS.pendingBodyBytes,
    socketMessageBytes: DEFAULT_LIMITS.socketMessageBytes,
    stallMs: DEFAULT_LIMITS.socketStallMs,
    ...limits,
  };
}

/**
 * Headers that affect framing or trust. If one is repeated, the request is rejected, because uWebSockets.js would
 * accept two different values.
 */
const SINGLE = new Set(['content-length', 'host', 'origin', 'transfer-encoding']);

/** Joins header lines into a map; undefined if a header that must be single is repeated. */
export function collectHeaders(lines: Iterable<readonly [name: string, value: string]>): Headers | undefined {
  const headers = new Map<string, string>();
  for (const [name, value] of lines) if (!addHeader(headers, name.toLowerCase(), value)) return undefined;
  return headers;
}

/** Adds a header line with a lower-case name; false if a header that must be single is repeated. */
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

/** Counts responses in progress, and reports when there are none. */
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
