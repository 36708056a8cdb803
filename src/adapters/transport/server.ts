/**
 * The transport's interface for adapters: an HTTP handler and optionally a websocket handler on one port. `http` gets
 * requests for every path; `webSocket.refuse` decides on which paths (`/`, `/websocket`) upgrades are accepted. Two
 * implementations pass the same contract suite: `uws.ts` (fast, native) and `node-http.ts` (runs on every Node).
 *
 * Before any handler, a server checks Host and Origin (`exposure`, see `guards.ts`), answers CORS preflights, rejects
 * repeated headers that affect framing or trust, and enforces its limits. Requests that do not arrive completely
 * within 12 s are aborted; sockets are pinged, and closed if no pong comes within about 30 s.
 */

import type { Timers } from '../../core/ports/time.js';
import type { PullStream } from '../../core/ports/pull-stream.js';
import type { ConnectionLimit } from './connection-limit.js';
import type { MessageBudget } from './held-messages.js';
import type { Message } from './message.js';
import type { LargeRequests } from './turns.js';

/** Headers by lower-case name; values of a repeated header are joined by `, `. */
export type Headers = ReadonlyMap<string, string>;

export interface RequestHead {
  /** HTTP method in upper case. */
  readonly method: string;
  /** The path as sent, still percent-encoded, without the query. */
  readonly path: string;
  /** The query as sent, without the question mark; empty when absent. */
  readonly query: string;
  readonly headers: Headers;
}

export interface HttpRequest extends RequestHead {
  readonly body: Uint8Array;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/**
 * A streamed response. If the stream fails, or the client reads nothing for `stallMs`, the connection is closed
 * before the end of the body. If the client disconnects, the stream is ended.
 */
export interface StreamedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body in non-empty pieces. */
  readonly stream: PullStream<Uint8Array>;
}

/**
 * Handles a request. It must not throw because of input: an exception is a bug, answered with 500 and reported to
 * `onDefect`.
 */
export type HttpHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** Handles requests, with streamed responses possible. */
export type StreamingHttpHandler = (
  request: HttpRequest,
) => HttpResponse | StreamedResponse | Promise<HttpResponse | StreamedResponse>;

/** One websocket. After it has closed, all methods do nothing. */
export interface Socket {
  readonly remoteAddress: string;
  readonly head: RequestHead;
  /**
   * Sends a text. `buffered`: accepted, but not yet completely taken by the kernel. `dropped`: the socket is closed;
   * an open socket never drops a message.
   */
  send(text: string): 'sent' | 'buffered' | 'dropped';
  /** Bytes accepted but not yet taken by the kernel. */
  bufferedBytes(): number;
  /** Runs `run` and sends its messages with as few system calls as possible. */
  cork(run: () => void): void;
  /** Sends buffered data, then a close frame. `reason`: at most 123 bytes. */
  end(code: number, reason: string): void;
}

export interface WebSocketHandler {
  open(socket: Socket): void;
  /** Receives a message; the handler must release it. */
  message(socket: Socket, message: Message): void;
  /**
   * Called for a message that exceeds a memory limit, named by `reason`; its bytes are valid during this call. Return
   * true if the sender was answered. Otherwise the socket is closed: with 1008 if it exceeded its own limit, else
   * with 1013.
   */
  noRoom?(socket: Socket, bytes: Buffer, reason: string): boolean;
  /** Called when the buffer of a socket is empty again, after `send` returned `buffered`. */
  drain(socket: Socket): void;
  /**
   * Called when the client has read nothing for `stallMs`: the handler may send final messages and closes the socket.
   * Without this method the socket is closed with code 1013, `slow client`.
   */
  stalled?(socket: Socket): void;
  /** Called exactly once per opened socket, also if the server closes. */
  close(socket: Socket): void;
}

export interface WebSocketOptions {
  readonly handler: WebSocketHandler;
  /**
   * Rejects an upgrade with a response, for example because of its path; undefined accepts it. Host and Origin are
   * already checked.
   */
  readonly refuse: (head: RequestHead) => HttpResponse | undefined;
}

export interface TransportLimits {
  /** Maximum request body in bytes; a larger one gets `tooLarge`, and the connection is closed. */
  readonly bodyBytes: number;
  /** Maximum websocket message in bytes; a larger one closes the socket with code 1009. */
  readonly messageBytes: number;
  /** Maximum open websockets of this server; further upgrades get 503. */
  readonly webSockets: number;
  /** Maximum open websockets per non-loopback address; by default `limits.webSocketsPerAddress`. */
  readonly webSocketsPerAddress?: number;
  /**
   * Maximum requests and messages per second of such an address; above it requests get 429, and sockets are closed
   * with 1008. `src/core/limits/limits.ts` has the default.
   */
  readonly requestsPerSecond?: number;
  readonly requestBurst?: number;
  /**
   * Applies the per-address limits to loopback, too; off by default, because all clients behind a local proxy share
   * its address.
   */
  readonly limitLoopback?: boolean;
  /**
   * Maximum open connections, including websockets; further ones get 503 and are closed. By default
   * `limits.connections`.
   */
  readonly connections?: number;
  /** Maximum bytes of all bodies in progress; above it requests get 503. By default `limits.pendingBodyBytes`. */
  readonly pendingBodyBytes?: number;
  /** Maximum bytes of held messages of one websocket. By default `limits.socketMessageBytes`. */
  readonly socketMessageBytes?: number;
  /**
   * Longest time without progress while bytes wait for a client, in milliseconds; by default `limits.socketStallMs`.
   */
  readonly stallMs?: number;
}

/** The browsers and host names that may use a face. */
export interface Exposure {
  /** Names accepted in the Host header besides `localhost`, names below it, and IP literals; `*` accepts every name. */
  readonly hosts: readonly string[];
  /** Origins whose pages may call: `scheme://host[:port]`, each `*` within for any text; `*` alone is every origin. */
  readonly origins: readonly string[];
  /** Called with the origin of a page that was refused; empty when the browser names none. */
  readonly onRefused?: (origin: string) => void;
  /** First segments of the addresses of pages, to which links of other sites may lead; `` is the root. */
  readonly pages?: ReadonlySet<string>;
}

export interface ServerOptions {
  readonly http: StreamingHttpHandler;
  readonly webSocket?: WebSocketOptions;
  readonly limits: TransportLimits;
  /**
   * Accepted host names and browser origins; when absent, only non-browser clients and same-origin pages, by an address
   * or a name of this machine.
   */
  readonly exposure?: Exposure;
  /**
   * Creates a check of a body while it arrives; the check gets each piece but the last. A response rejects the
   * request; it is sent after the rest was discarded, and the connection is closed.
   */
  readonly inspect?: (head: RequestHead) => ((piece: Uint8Array) => HttpResponse | undefined) | undefined;
  /** Scheduler of large requests, shared by the servers of a process; by default the server has its own. */
  readonly large?: LargeRequests;
  /** Connection limit shared by the servers of a process; by default only `limits` applies. */
  readonly connections?: ConnectionLimit;
  /** Message budget shared by the servers of a process; by default the server has its own. */
  readonly messages?: MessageBudget;
  /** Timers for pings, stalls, and deferred closing. */
  readonly timers: Timers;
  /** The response to an oversized body; by default 413 with a plain text. */
  readonly tooLarge?: HttpResponse;
  /** Called with an exception of a handler. */
  readonly onDefect: (error: unknown) => void;
}

/** Options that the servers of a process share. */
export type SharedByServers = Required<Pick<ServerOptions, 'connections' | 'exposure' | 'large' | 'messages'>>;

export type ListenResult =
  | { readonly ok: true; readonly port: number }
  | { readonly ok: false; readonly code: 'E_PORT_IN_USE'; readonly host: string; readonly port: number }
  | {
      readonly ok: false;
      readonly code: 'E_LISTEN_FAILED';
      readonly host: string;
      readonly port: number;
      readonly reason: string;
    };

export interface Server {
  readonly kind: 'uws' | 'node';
  /** Starts listening. Port 0 lets the system choose; the result has the bound port. */
  listen(host: string, port: number): Promise<ListenResult>;
  /**
   * Stops listening. If graceful, finishes responses in progress and closes websockets with code 1001 first.
   * Otherwise closes all connections at once; it may be called during a graceful close.
   */
  close(graceful: boolean): Promise<void>;
}
