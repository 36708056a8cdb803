/**
 * Transport over uWebSockets.js, which needs half of the CPU per request of node:http. This file handles the library's
 * pitfalls: shared ports, dropped messages, bodies without a limit, duplicate headers, access after an abort.
 */
import { createServer as createProbe } from 'node:net';
import type * as Uws from 'uWebSockets.js';
import type {
  HttpResponse as UwsResponse,
  HttpRequest as UwsRequest,
  WebSocket as UwsSocket,
  us_listen_socket as ListenSocket,
} from 'uWebSockets.js';
import { CLOSED, admit, refuseForeign } from './guards.js';
import { LargeAnswers } from './large-answers.js';
import {
  Allowance,
  BODY_TOO_LARGE,
  BodyBudget,
  BodyCollector,
  DUPLICATE_HEADER,
  GREEDY_CLIENT,
  HANDLER_FAILED,
  InFlight,
  NO_CONTENT,
  SLOW_CLIENT,
  TOO_MANY_ANSWER_BYTES,
  TOO_MANY_BYTES,
  TOO_MANY_REQUESTS,
  TOO_MANY_SOCKETS,
  addHeader,
  completeLimits,
  declaresTooMuch,
  requestHead,
} from './rules.js';
import type { HttpResponse, ListenResult, RequestHead, Server, ServerOptions, Socket } from './server.js';
import { StallWatch } from './stall-watch.js';
import { LargeRequests, Turns } from './turns.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../core/limits.js';

export type NativeTransport = typeof Uws;

/** LIBUS_LISTEN_EXCLUSIVE_PORT; without it a second server on the same port silently takes half of the connections. */
const EXCLUSIVE_PORT = 1;
/** Compression off; the package declares the constant only as a type. */
const NO_COMPRESSION = 0;
const USUAL_STATUS = 200;

/**
 * Loads the native library: by `load`, else from the installed packages. Undefined where there is no binary for this
 * Node or C library.
 */
export async function loadUws(load?: () => NativeTransport | undefined): Promise<NativeTransport | undefined> {
  // the library reads this variable once, when it is loaded, and has no other configuration for it
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= String(FIXED_LIMITS.headerBytes);
  const loaded = load?.();
  if (loaded !== undefined) return loaded;
  try {
    return await import('uWebSockets.js');
  } catch {
    return undefined;
  }
}

/** Reason phrase of a status; Node's table of them is part of node:http, which a start does not load. */
function reasonOf(status: number): string {
  return process.getBuiltinModule('node:http').STATUS_CODES[status] ?? '';
}

/** One request and its answer. */
interface Exchange {
  /** True when it was answered or its connection ended: the response must not be used. */
  done: boolean;
  /** Called when the connection ends. */
  ended: () => void;
}

/** Data of the upgrade that is passed to the socket. */
interface SocketData {
  readonly head: RequestHead;
  socket: OpenSocket | undefined;
}

class OpenSocket implements Socket {
  readonly remoteAddress: string;
  readonly head: RequestHead;
  readonly watch: StallWatch;
  #native: UwsSocket<SocketData> | undefined;

  constructor(native: UwsSocket<SocketData>, watch: (socket: OpenSocket) => StallWatch) {
    this.#native = native;
    this.head = native.getUserData().head;
    this.remoteAddress = addressOf(native);
    this.watch = watch(this);
  }

  send(text: string): 'sent' | 'buffered' | 'dropped' {
    if (this.#native === undefined) return 'dropped';
    const outcome = this.#native.send(text, false, false);
    // maxBackpressure is 0, so the library must not return 2
    if (outcome === 2) throw new Error('invariant: uWebSockets.js dropped a message');
    if (outcome !== 0) return 'sent';
    this.watch.wrote(this.bufferedBytes());
    return 'buffered';
  }

  bufferedBytes(): number {
    return this.#native?.getBufferedAmount() ?? 0;
  }

  cork(run: () => void): void {
    if (this.#native === undefined) {
      run();
      return;
    }
    this.#native.cork(run);
    // corked data may reach a full kernel buffer only now
    this.watch.wrote(this.bufferedBytes());
  }

  end(code: number, reason: string): void {
    this.watch.stop();
    this.#native?.end(code, reason);
  }

  /** Forgets the library's object, which must not be used after close. */
  detach(): void {
    this.#native = undefined;
    this.watch.stop();
  }
}

function addressOf(native: { getRemoteAddressAsText(): ArrayBuffer }): string {
  return Buffer.from(native.getRemoteAddressAsText()).toString('latin1');
}

function readHead(request: UwsRequest): RequestHead | undefined {
  const headers = new Map<string, string>();
  let isValid = true;
  // The library gives the names in lower case.
  request.forEach((name, value) => {
    isValid = addHeader(headers, name, value) && isValid;
  });
  if (!isValid) return undefined;
  const query = request.getQuery();
  return requestHead(
    request.getMethod().toUpperCase(),
    query ? `${request.getUrl()}?${query}` : request.getUrl(),
    headers,
  );
}

function writeHead(native: UwsResponse, response: HttpResponse, headers: HttpResponse['headers']): void {
  // the library writes the default status by itself
  if (response.status !== USUAL_STATUS) native.writeStatus(`${response.status} ${reasonOf(response.status)}`);
  for (const [name, value] of linesOf(response.headers, headers)) native.writeHeader(name, value);
}

type HeaderLines = readonly (readonly [name: string, value: string])[];

/** Header lines by the two objects that they come from: most answers have the same two. */
const knownLines = new WeakMap<HttpResponse['headers'], WeakMap<HttpResponse['headers'], HeaderLines>>();

/** The lines of an answer's headers and of those that are added; of a name in both, the added one. */
function linesOf(answered: HttpResponse['headers'], added: HttpResponse['headers']): HeaderLines {
  let ofAnswered = knownLines.get(answered);
  if (ofAnswered === undefined) knownLines.set(answered, (ofAnswered = new WeakMap()));
  let lines = ofAnswered.get(added);
  if (lines === undefined) ofAnswered.set(added, (lines = Object.entries({ ...answered, ...added })));
  return lines;
}

const NO_HEADERS: HttpResponse['headers'] = {};

function answer(
  native: UwsResponse,
  response: HttpResponse,
  head: RequestHead | undefined,
  close: boolean,
  headers: HttpResponse['headers'] = NO_HEADERS,
): void {
  native.cork(() => {
    writeHead(native, response, headers);
    // an undefined length would be sent as 2^63
    if (response.status === NO_CONTENT) native.endWithoutBody();
    else if (head?.method === 'HEAD') native.endWithoutBody(Buffer.byteLength(response.body), close);
    else native.end(response.body, close);
  });
}

/** The library only reports that listening failed; this asks the system for the reason. */
function whyNot(host: string, port: number): Promise<ListenResult> {
  return new Promise((resolve) => {
    const probe = createProbe();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      resolve(
        error.code === 'EADDRINUSE'
          ? { ok: false, code: 'E_PORT_IN_USE', host, port }
          : { ok: false, code: 'E_LISTEN_FAILED', host, port, reason: error.message },
      );
    });
    probe.listen({ host, port, exclusive: true }, () =>
      probe.close(() =>
        resolve({ ok: false, code: 'E_LISTEN_FAILED', host, port, reason: 'uWebSockets.js could not listen' }),
      ),
    );
  });
}

/** Creates a server over the loaded library. */
export function createUwsServer(library: NativeTransport, options: ServerOptions): Server {
  // App(undefined) aborts the process, so the argument is left out
  const app = library.App();
  const limits = completeLimits(options.limits);
  const exposure = options.exposure ?? CLOSED;
  const budget = new BodyBudget(limits.pendingBodyBytes);
  const allowance = new Allowance(options.timers, limits);
  const large = options.large ?? new LargeRequests(options.timers);
  const reads = new Turns(FIXED_LIMITS.readsPerTurn, options.timers);
  const answers = new LargeAnswers(DEFAULT_LIMITS.pendingAnswerBytes);
  let connections = 0;
  const inFlight = new InFlight();
  const sockets = new Set<OpenSocket>();
  const open = new InFlight();
  let listening: ListenSocket | undefined;
  let closed = false;
  /**
   * True when all possible clients are exempt from limits: the address, a system call for each request, is then not
   * read.
   */
  let isExempt = false;
  const mayAsk = (native: UwsResponse): boolean => isExempt || allowance.mayAsk(addressOf(native));

  // the library reports +1 and -1, but no -1 for a connection that became a websocket
  app.filter((native, change) => {
    connections += change;
    if (change > 0 && connections > limits.connections) native.close();
  });

  const respond = async (
    native: UwsResponse,
    head: RequestHead,
    body: BodyCollector,
    exchange: Exchange,
    headers: HttpResponse['headers'],
  ): Promise<void> => {
    inFlight.begin();
    try {
      if (body.length >= DEFAULT_LIMITS.largeRequestBytes) {
        await large.next();
        if (exchange.done) return;
      }
      const { method, path, query } = head;
      // field by field: V8 makes a new shape for each object that is spread and extended, and keeps it until the next
      // full collection
      const answered = options.http({ method, path, query, headers: head.headers, body: body.bytes() });
      // most answers are ready at once and leave in one system call with the data that the library wrote before
      const response = answered instanceof Promise ? await answered : answered;
      if (exchange.done) return;
      const isLarge = response.body.length >= DEFAULT_LIMITS.largeAnswerBytes && method !== 'HEAD';
      // never with `close`: outside of the library's own callbacks it shuts the connection before the corked bytes are
      // sent
      if (isLarge) await respondLarge(native, response, exchange, headers);
      else answer(native, response, head, false, headers);
    } catch (error) {
      options.onDefect(error);
      if (!exchange.done) answer(native, HANDLER_FAILED, head, false, headers);
    } finally {
      body.release();
      inFlight.end();
    }
  };

  const respondLarge = async (
    native: UwsResponse,
    response: HttpResponse,
    exchange: Exchange,
    headers: HttpResponse['headers'],
  ): Promise<void> => {
    const body = typeof response.body === 'string' ? Buffer.from(response.body) : response.body;
    if (!answers.take(body)) {
      answer(native, TOO_MANY_ANSWER_BYTES, undefined, false, headers);
      return;
    }
    const ended = new Promise<void>((resolve) => {
      exchange.ended = resolve;
    });
    let sent = Promise.resolve();
    native.cork(() => {
      writeHead(native, response, headers);
      sent = answers.send(native, body, ended);
    });
    await sent;
  };

  if (options.webSocket !== undefined) {
    const { handler, refuse } = options.webSocket;
    const guard = (run: () => void): void => {
      try {
        run();
      } catch (error) {
        options.onDefect(error);
      }
    };
    app.ws<SocketData>('/*', {
      compression: NO_COMPRESSION,
      // twice the limit, so that the check below can answer 1009; beyond it the library cuts the connection without a
      // frame
      maxPayloadLength: limits.messageBytes * 2,
      maxBackpressure: 0,
      closeOnBackpressureLimit: false,
      idleTimeout: FIXED_LIMITS.webSocketIdleSeconds,
      sendPingsAutomatically: true,
      upgrade(native, request, context) {
        const head = readHead(request);
        const isFull = sockets.size >= limits.webSockets || !allowance.mayOpenSocket(addressOf(native));
        const refusal =
          head === undefined
            ? DUPLICATE_HEADER
            : (refuseForeign(head, exposure) ?? (isFull ? TOO_MANY_SOCKETS : refuse(head)));
        if (head === undefined || refusal !== undefined) {
          answer(native, refusal ?? DUPLICATE_HEADER, head, true);
          return;
        }
        native.upgrade<SocketData>(
          { head, socket: undefined },
          request.getHeader('sec-websocket-key'),
          request.getHeader('sec-websocket-protocol'),
          request.getHeader('sec-websocket-extensions'),
          context,
        );
      },
      open(native) {
        const socket = new OpenSocket(
          native,
          (watched) =>
            new StallWatch(options.timers, limits.stallMs, () =>
              guard(() =>
                handler.stalled === undefined
                  ? watched.end(SLOW_CLIENT.code, SLOW_CLIENT.reason)
                  : handler.stalled(watched),
              ),
            ),
        );
        native.getUserData().socket = socket;
        sockets.add(socket);
        allowance.socketOpened(socket.remoteAddress);
        open.begin();
        guard(() => handler.open(socket));
      },
      message(native, message) {
        const { socket } = native.getUserData();
        if (socket === undefined) return;
        if (message.byteLength > limits.messageBytes) {
          socket.end(1009, `message exceeds ${limits.messageBytes} bytes`);
          return;
        }
        if (!allowance.mayAsk(socket.remoteAddress)) {
          socket.end(GREEDY_CLIENT.code, GREEDY_CLIENT.reason);
          return;
        }
        const text = Buffer.from(message).toString('utf8');
        guard(() => handler.message(socket, text));
      },
      drain(native) {
        const { socket } = native.getUserData();
        if (socket === undefined) return;
        socket.watch.progressed(socket.bufferedBytes());
        if (socket.bufferedBytes() === 0) guard(() => handler.drain(socket));
      },
      close(native) {
        const { socket } = native.getUserData();
        connections -= 1;
        if (socket === undefined) return;
        socket.detach();
        sockets.delete(socket);
        allowance.socketClosed(socket.remoteAddress);
        guard(() => handler.close(socket));
        open.end();
      },
    });
  }

  app.any('/*', (native, request) => {
    const head = readHead(request);
    const exchange: Exchange = { done: false, ended: () => undefined };
    const body = new BodyCollector(limits.bodyBytes, budget);
    native.onAborted(() => {
      exchange.done = true;
      exchange.ended();
      body.release();
    });
    let paused = false;
    const resume = (): void => {
      if (!paused || exchange.done) return;
      paused = false;
      native.resume();
    };
    const refuse = (response: HttpResponse, headers?: HttpResponse['headers']): void => {
      resume();
      exchange.done = true;
      body.release();
      // a browser sends its request after the preflight on the same connection
      answer(native, response, head, response.status !== NO_CONTENT, headers);
    };
    if (head === undefined) {
      refuse(DUPLICATE_HEADER);
      return;
    }
    const admission = admit(head, exposure);
    if (admission.kind === 'answer') {
      refuse(admission.response);
      return;
    }
    const { headers } = admission;
    if (!mayAsk(native)) {
      refuse(TOO_MANY_REQUESTS, headers);
      return;
    }
    if (declaresTooMuch(head.headers, limits.bodyBytes)) {
      refuse(options.tooLarge ?? BODY_TOO_LARGE, headers);
      return;
    }
    let received = false;
    /** Made for a body in pieces: most arrive whole. */
    let check: ReturnType<NonNullable<ServerOptions['inspect']>> | 'unmade' = 'unmade';
    native.onData((chunk, isLast) => {
      if (exchange.done || received) return;
      const piece = new Uint8Array(chunk);
      if (!isLast && check === 'unmade') check = options.inspect?.(head);
      const refusal = isLast || check === 'unmade' ? undefined : check?.(piece);
      if (refusal !== undefined) {
        refuse(refusal, headers);
        return;
      }
      const added = body.add(piece);
      if (added !== 'added') {
        refuse(added === 'no-budget' ? TOO_MANY_BYTES : (options.tooLarge ?? BODY_TOO_LARGE), headers);
      } else if (isLast) {
        received = true;
        // data that was read before the pause still arrives
        resume();
        void respond(native, head, body, exchange, headers);
      } else if (!reads.begin(resume) && !paused) {
        paused = true;
        native.pause();
      }
    });
  });

  return {
    kind: 'uws',
    listen(host, port) {
      return new Promise((resolve) => {
        const listened = (socket: ListenSocket | false): void => {
          if (socket === false) {
            resolve(whyNot(host, port));
            return;
          }
          listening = socket;
          isExempt = allowance.exemptsAllOf(host);
          resolve({ ok: true, port: library.us_socket_local_port(socket) });
        };
        // the overload with options is not declared by the package
        const listen: unknown = Reflect.get(app, 'listen');
        if (typeof listen === 'function') Reflect.apply(listen, app, [host, port, EXCLUSIVE_PORT, listened]);
      });
    },
    async close(graceful) {
      if (listening !== undefined) library.us_listen_socket_close(listening);
      listening = undefined;
      if (graceful) {
        await inFlight.idle();
        for (const socket of [...sockets]) socket.end(1001, 'going away');
        await open.idle();
        // answers written inside a callback of the library are sent when the callback returns, so close on a later turn
        await options.timers.yield();
      }
      if (closed) return;
      closed = true;
      allowance.stop();
      app.close();
    },
  };
}
