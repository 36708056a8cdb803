/**
 * What an adapter sees of the network: one HTTP handler and, optionally, one websocket handler behind one port. A process
 * may have any number of servers. Every path reaches the handlers: `http` routes by `path`, and `webSocket.refuse` says
 * on which paths (`/`, `/websocket`) an upgrade is accepted; an ordinary request to such a path goes to `http`.
 * Two implementations pass one contract suite: `uws.ts` (fast, native) and `node-http.ts` (runs on every Node).
 *
 * Before any handler, a server checks Host and Origin (`exposure`, see `guards.ts`), answers CORS preflights, refuses
 * repeated headers that decide about framing or trust, and applies its limits. Requests that do not arrive within 12 s
 * are cut; sockets are pinged and cut when no pong comes within about 30 s.
 */

import type { Timers } from '../../core/ports/time.js';

/** Header names in lower case; a repeated header has its values joined by `, `. */
export type Headers = ReadonlyMap<string, string>;

export interface RequestHead {
  /** In upper case. */
  readonly method: string;
  /** As sent, still percent-encoded, without the query. */
  readonly path: string;
  /** As sent, without the question mark; empty when absent. */
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

/** Must not throw for bad input; a throw is a defect, answered by 500 and reported to `onDefect`. */
export type HttpHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** One open websocket. All methods may be called after the socket closed: they do nothing then. */
export interface Socket {
  readonly remoteAddress: string;
  readonly head: RequestHead;
  /** `buffered`: accepted, but the kernel took not all of it. `dropped`: the socket is closed. No message is ever dropped silently. */
  send(text: string): 'sent' | 'buffered' | 'dropped';
  /** Bytes accepted and not yet taken by the kernel. */
  bufferedBytes(): number;
  /** Runs `run`; what it sends leaves in as few system calls as possible. */
  cork(run: () => void): void;
  /** Sends what is buffered, then a close frame. `reason` is at most 123 bytes. */
  end(code: number, reason: string): void;
}

/** Binary messages arrive decoded as UTF-8, as both peers treat them. */
export interface WebSocketHandler {
  open(socket: Socket): void;
  message(socket: Socket, text: string): void;
  /** The buffer of a socket whose `send` answered `buffered` is empty again. */
  drain(socket: Socket): void;
  /**
   * Bytes waited for `stallMs` and the client took none of them: the handler says its last words (they wait behind those
   * bytes) and ends the socket. Without this method it is ended with code 1013, `slow client`.
   */
  stalled?(socket: Socket): void;
  /** Called exactly once per opened socket, also when the server closes. */
  close(socket: Socket): void;
}

export interface WebSocketOptions {
  readonly handler: WebSocketHandler;
  /** Refuses an upgrade by an answer, by its path for example; undefined accepts. Host and Origin were checked before. */
  readonly refuse: (head: RequestHead) => HttpResponse | undefined;
}

export interface TransportLimits {
  /** Request body, bytes; above it the answer is `tooLarge` and the connection ends. */
  readonly bodyBytes: number;
  /** Websocket message, bytes; above it the socket ends with code 1009. */
  readonly messageBytes: number;
  /** Open websockets of this server; above it an upgrade is answered by 503. */
  readonly webSockets: number;
  /** The same of one address that is not loopback; `limits.webSocketsPerAddress` by default. */
  readonly webSocketsPerAddress?: number;
  /** Requests and messages of one such address; above it the answer is 429, or the socket ends with 1008. Limits table by default. */
  readonly requestsPerSecond?: number;
  readonly requestBurst?: number;
  /** Limits by address hold for loopback, too; off by default, as all clients behind a local proxy have one address. */
  readonly limitLoopback?: boolean;
  /** Open connections, websockets among them; above it a connection is closed at once. `limits.connections` by default. */
  readonly connections?: number;
  /** Bytes of all bodies being received or answered; above it the answer is 503. `limits.pendingBodyBytes` by default. */
  readonly pendingBodyBytes?: number;
  /** How long bytes may wait for a client that takes none, milliseconds; `limits.socketStallMs` by default. */
  readonly stallMs?: number;
}

/** Who may reach a face through a browser. */
export interface Exposure {
  /** Names accepted in the Host header besides `localhost` and IP literals; `*` accepts every name. */
  readonly hosts: readonly string[];
  /** Origins whose pages may call: `scheme://host[:port]`, at most one `*` within; `*` alone is every origin. */
  readonly origins: readonly string[];
}

export interface ServerOptions {
  readonly http: HttpHandler;
  readonly webSocket?: WebSocketOptions;
  readonly limits: TransportLimits;
  /** Which host names and browser origins are let in; only programs, by address or localhost, when absent. */
  readonly exposure?: Exposure;
  /** For pings, stalls and for the turn that a last answer needs to leave. */
  readonly timers: Timers;
  /** Answer to an oversized body; 413 with a plain text by default. */
  readonly tooLarge?: HttpResponse;
  /** A handler threw. */
  readonly onDefect: (error: unknown) => void;
}

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
  /** Port 0 lets the system choose; the answer tells the port. */
  listen(host: string, port: number): Promise<ListenResult>;
  /**
   * Stops listening. Graceful: resolves after every answer under way was sent and every websocket closed (code 1001).
   * Otherwise cuts all connections at once; may be called after a graceful close that takes too long.
   */
  close(graceful: boolean): Promise<void>;
}
