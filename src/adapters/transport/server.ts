/**
 * The transport as adapters see it: one HTTP handler and, optionally, one websocket handler behind one port. A process
 * may have any number of servers. Every path reaches the handlers: `http` routes by `path`, and `webSocket.refuse` says
 * on which paths (`/`, `/websocket`) an upgrade is accepted; an ordinary request to such a path goes to `http`. Two
 * implementations pass the same contract suite: `uws.ts` (fast, native) and `node-http.ts` (runs on every Node).
 *
 * Before any handler, a server checks Host and Origin (`exposure`, see `guards.ts`), answers CORS preflights, refuses
 * repeated headers that decide about framing or trust, and applies its limits. Requests that do not arrive within 12 s
 * are cut; sockets are pinged and cut when no pong comes within about 30 s.
 */

import type { Timers } from '../../core/ports/time.js';
import type { PullStream } from '../../core/pull-stream.js';
import type { ConnectionRoom } from './connection-room.js';
import type { MessageRoom } from './held-messages.js';
import type { Message } from './message.js';
import type { LargeRequests } from './turns.js';

/** Header names in lower case; a repeated header has its values joined by `, `. */
export type Headers = ReadonlyMap<string, string>;

export interface RequestHead {
  /** In upper case. */
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
 * An answer that is made while its client reads it. The connection ends without the end of the body when the stream
 * fails, and when the client takes nothing for `stallMs`; the stream is ended when the client leaves.
 */
export interface StreamedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body in pieces that are not empty. */
  readonly stream: PullStream<Uint8Array>;
}

/** Must not throw because of input; a throw is a defect, answered by 500 and reported to `onDefect`. */
export type HttpHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** Handles requests, some of whose answers are made while they are sent. */
export type StreamingHttpHandler = (
  request: HttpRequest,
) => HttpResponse | StreamedResponse | Promise<HttpResponse | StreamedResponse>;

/** One open websocket. All methods may be called after the socket closed and then do nothing. */
export interface Socket {
  readonly remoteAddress: string;
  readonly head: RequestHead;
  /**
   * `buffered`: accepted, but the kernel has not taken all of it. `dropped`: the socket is closed. A message is never
   * dropped from an open socket.
   */
  send(text: string): 'sent' | 'buffered' | 'dropped';
  /** Bytes accepted and not yet taken by the kernel. */
  bufferedBytes(): number;
  /** Runs `run`; its messages are sent with as few system calls as possible. */
  cork(run: () => void): void;
  /** Sends what is buffered, then a close frame. `reason` is at most 123 bytes. */
  end(code: number, reason: string): void;
}

export interface WebSocketHandler {
  open(socket: Socket): void;
  /** The handler releases the message. */
  message(socket: Socket, message: Message): void;
  /**
   * There was no room for a message, whose bytes are valid during this call; `reason` names the limit. True when its
   * sender was answered. Otherwise the socket ends: with 1013 when others hold the room, with 1008 when it does itself.
   */
  noRoom?(socket: Socket, bytes: Buffer, reason: string): boolean;
  /** The buffer of a socket whose `send` answered `buffered` is empty again. */
  drain(socket: Socket): void;
  /**
   * Bytes waited for `stallMs` and the client took none of them: the handler sends its last messages, which wait after
   * those bytes, and ends the socket. Without this method the socket ends with code 1013, `slow client`.
   */
  stalled?(socket: Socket): void;
  /** Called exactly once per opened socket, also when the server closes. */
  close(socket: Socket): void;
}

export interface WebSocketOptions {
  readonly handler: WebSocketHandler;
  /**
   * Refuses an upgrade with an answer, for example because of its path; undefined accepts. Host and Origin were checked
   * before.
   */
  readonly refuse: (head: RequestHead) => HttpResponse | undefined;
}

export interface TransportLimits {
  /** Largest request body, bytes; a larger one is answered by `tooLarge` and the connection ends. */
  readonly bodyBytes: number;
  /** Largest websocket message, bytes; a larger one ends the socket with code 1009. */
  readonly messageBytes: number;
  /** Open websockets of this server; above it an upgrade is answered by 503. */
  readonly webSockets: number;
  /** Open websockets of one address that is not loopback; `limits.webSocketsPerAddress` by default. */
  readonly webSocketsPerAddress?: number;
  /**
   * Requests and messages per second of one such address; above it the answer is 429, or the socket ends with 1008.
   * `src/core/limits/limits.ts` has the default.
   */
  readonly requestsPerSecond?: number;
  readonly requestBurst?: number;
  /**
   * Applies the limits per address to loopback too; off by default, because all clients behind a local proxy have one
   * address.
   */
  readonly limitLoopback?: boolean;
  /**
   * Open connections, websockets among them; above it a connection is answered by 503 and ends. `limits.connections`
   * by default.
   */
  readonly connections?: number;
  /**
   * Bytes of all bodies being received or answered; above it the answer is 503. `limits.pendingBodyBytes` by default.
   */
  readonly pendingBodyBytes?: number;
  /**
   * Bytes of messages of one websocket that are held; above it there is no room for a further one.
   * `limits.socketMessageBytes` by default.
   */
  readonly socketMessageBytes?: number;
  /** Longest time without progress while bytes wait for a client, milliseconds; `limits.socketStallMs` by default. */
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
   * Makes a check of one body while it arrives, given each piece but the last. Its answer refuses the request; it is
   * sent when the rest was thrown away, and the connection ends.
   */
  readonly inspect?: (head: RequestHead) => ((piece: Uint8Array) => HttpResponse | undefined) | undefined;
  /** Turns of large requests, common to the servers of a process; by default the server has turns of its own. */
  readonly large?: LargeRequests;
  /** Room for connections, common to the servers of a process; by default only `limits` bound them. */
  readonly connections?: ConnectionRoom;
  /** Room for messages of websockets, common to the servers of a process; by default the server has room of its own. */
  readonly messages?: MessageRoom;
  /** Timers for pings, stalls, and the turn in which a last answer is sent. */
  readonly timers: Timers;
  /** Answer to an oversized body; 413 with a plain text by default. */
  readonly tooLarge?: HttpResponse;
  /** Receives the error of a handler that threw. */
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
  /** Port 0 lets the system choose; the result holds the port. */
  listen(host: string, port: number): Promise<ListenResult>;
  /**
   * Stops listening. Graceful: resolves after every answer in progress was sent and every websocket closed (code 1001).
   * Otherwise cuts all connections at once; may be called while a graceful close takes too long.
   */
  close(graceful: boolean): Promise<void>;
}
