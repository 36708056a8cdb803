/**
 * Transport over node:http and `ws`, for versions of Node without a uWebSockets.js binary. It has the same contract as
 * `uws.ts`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket, WebSocketServer } from 'ws';
import { CLOSED, admit, refuseForeign } from './guards.js';
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
  TOO_MANY_BYTES,
  TOO_MANY_REQUESTS,
  TOO_MANY_SOCKETS,
  collectHeaders,
  completeLimits,
  declaresTooMuch,
  requestHead,
} from './rules.js';
import type { HttpResponse, RequestHead, Server, ServerOptions, Socket } from './server.js';
import { StallWatch } from './stall-watch.js';
import { LargeRequests } from './turns.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../core/limits.js';

class OpenSocket implements Socket {
  alive = true;
  readonly watch: StallWatch;
  #corkedAt: number | undefined;
  #waiting = false;

  constructor(
    private readonly native: WebSocket,
    private readonly stream: Duplex,
    readonly head: RequestHead,
    readonly remoteAddress: string,
    private readonly drained: (socket: OpenSocket) => void,
    watch: (socket: OpenSocket) => StallWatch,
  ) {
    this.watch = watch(this);
  }

  send(text: string): 'sent' | 'buffered' | 'dropped' {
    if (this.native.readyState !== this.native.OPEN) return 'dropped';
    this.native.send(text, this.#flushed);
    // while corked all data is buffered, so the state before the cork decides
    if ((this.#corkedAt ?? this.native.bufferedAmount) === 0) return 'sent';
    this.#wait();
    return 'buffered';
  }

  bufferedBytes(): number {
    return this.native.bufferedAmount;
  }

  cork(run: () => void): void {
    if (this.#corkedAt !== undefined) {
      run();
      return;
    }
    this.#corkedAt = this.native.bufferedAmount;
    this.stream.cork();
    try {
      run();
    } finally {
      this.#corkedAt = undefined;
      this.stream.uncork();
      if (this.native.bufferedAmount > 0) this.#wait();
    }
  }

  end(code: number, reason: string): void {
    this.watch.stop();
    this.native.close(code, reason);
  }

  #wait(): void {
    this.#waiting = true;
    this.watch.wrote(this.native.bufferedAmount);
  }

  readonly #flushed = (): void => {
    if (!this.#waiting || this.native.readyState !== this.native.OPEN) return;
    this.watch.progressed(this.native.bufferedAmount);
    if (this.native.bufferedAmount > 0) return;
    this.#waiting = false;
    this.drained(this);
  };
}

function readHead(request: IncomingMessage): RequestHead | undefined {
  const lines: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2)
    lines.push([request.rawHeaders[i] ?? '', request.rawHeaders[i + 1] ?? '']);
  const headers = collectHeaders(lines);
  return headers && requestHead(request.method ?? 'GET', request.url ?? '/', headers);
}

function answer(
  native: ServerResponse,
  response: HttpResponse,
  close: boolean,
  headers: HttpResponse['headers'] = {},
): void {
  if (native.headersSent || native.destroyed) return;
  native.writeHead(response.status, {
    ...response.headers,
    ...headers,
    ...(response.status !== NO_CONTENT && { 'content-length': Buffer.byteLength(response.body) }),
    ...(close && { connection: 'close' }),
  });
  native.end(response.body);
}

function refuseUpgrade(stream: Duplex, response: HttpResponse): void {
  const lines = Object.entries({
    ...response.headers,
    'content-length': String(Buffer.byteLength(response.body)),
    connection: 'close',
  });
  stream.write(
    `HTTP/1.1 ${response.status} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  stream.end(response.body);
}

/** Creates a server over node:http; `library` is `ws`, which only a server with websockets needs. */
export function createNodeServer(
  options: ServerOptions,
  library: { readonly WebSocketServer: typeof WebSocketServer } | undefined,
): Server {
  const limits = completeLimits(options.limits);
  const exposure = options.exposure ?? CLOSED;
  const budget = new BodyBudget(limits.pendingBodyBytes);
  const allowance = new Allowance(options.timers, limits);
  const large = options.large ?? new LargeRequests(options.timers);
  const inFlight = new InFlight();
  const open = new InFlight();
  const sockets = new Map<OpenSocket, WebSocket>();
  let draining = false;
  let cancelPing = (): void => undefined;

  const handle = (request: IncomingMessage, native: ServerResponse): void => {
    const head = readHead(request);
    if (head === undefined) {
      answer(native, DUPLICATE_HEADER, true);
      return;
    }
    const admission = admit(head, exposure);
    if (admission.kind === 'answer') {
      // a browser sends its request after the preflight on the same connection
      answer(native, admission.response, admission.response.status !== NO_CONTENT);
      return;
    }
    if (!allowance.mayAsk(request.socket.remoteAddress ?? '')) {
      answer(native, TOO_MANY_REQUESTS, true, admission.headers);
      return;
    }
    if (declaresTooMuch(head.headers, limits.bodyBytes)) {
      answer(native, options.tooLarge ?? BODY_TOO_LARGE, true, admission.headers);
      return;
    }
    const body = new BodyCollector(limits.bodyBytes, budget);
    native.once('close', () => body.release());
    const check = options.inspect?.(head);
    request.on('data', (chunk: Uint8Array) => {
      if (native.headersSent) return;
      const refusal = check?.(chunk);
      if (refusal !== undefined) {
        answer(native, refusal, true, admission.headers);
        return;
      }
      const added = body.add(chunk);
      if (added !== 'added')
        answer(
          native,
          added === 'no-budget' ? TOO_MANY_BYTES : (options.tooLarge ?? BODY_TOO_LARGE),
          true,
          admission.headers,
        );
    });
    request.on('error', () => undefined);
    request.on('end', () => {
      if (!native.headersSent) void respond(native, head, body.bytes(), admission.headers);
    });
  };

  const respond = async (
    native: ServerResponse,
    head: RequestHead,
    body: Uint8Array,
    headers: HttpResponse['headers'],
  ): Promise<void> => {
    if (native.closed) return;
    inFlight.begin();
    // the answer is in progress until its last byte was handed over or the client left
    native.once('close', () => inFlight.end());
    try {
      if (body.length >= DEFAULT_LIMITS.largeRequestBytes) {
        await large.next();
        if (native.closed) return;
      }
      const response = await options.http({ ...head, body });
      answer(native, response, draining, headers);
    } catch (error) {
      options.onDefect(error);
      answer(native, HANDLER_FAILED, true, headers);
    }
  };

  const server = createServer(
    {
      headersTimeout: FIXED_LIMITS.requestMs,
      requestTimeout: FIXED_LIMITS.requestMs,
      keepAliveTimeout: FIXED_LIMITS.requestMs,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: FIXED_LIMITS.headerBytes,
      noDelay: true,
    },
    handle,
  );
  server.maxConnections = limits.connections;
  server.setTimeout(FIXED_LIMITS.writeMs);

  const { webSocket } = options;
  // without a websocket handler an upgrade is an ordinary request
  if (webSocket !== undefined && library !== undefined) {
    const upgrades = new library.WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: limits.messageBytes,
      clientTracking: false,
    });
    const { handler, refuse } = webSocket;
    const guard = (run: () => void): void => {
      try {
        run();
      } catch (error) {
        options.onDefect(error);
      }
    };
    server.on('upgrade', (request, stream, early) => {
      stream.on('error', () => undefined);
      const head = readHead(request);
      const remoteAddress = request.socket.remoteAddress ?? '';
      const isFull = sockets.size >= limits.webSockets || !allowance.mayOpenSocket(remoteAddress);
      const refusal =
        head === undefined
          ? DUPLICATE_HEADER
          : (refuseForeign(head, exposure) ?? (isFull ? TOO_MANY_SOCKETS : refuse(head)));
      if (head === undefined || refusal !== undefined) {
        refuseUpgrade(stream, refusal ?? DUPLICATE_HEADER);
        return;
      }
      upgrades.handleUpgrade(request, stream, early, (native) => {
        const socket = new OpenSocket(
          native,
          stream,
          head,
          remoteAddress,
          (drained) => guard(() => handler.drain(drained)),
          (watched) =>
            new StallWatch(options.timers, limits.stallMs, () =>
              guard(() =>
                handler.stalled === undefined
                  ? watched.end(SLOW_CLIENT.code, SLOW_CLIENT.reason)
                  : handler.stalled(watched),
              ),
            ),
        );
        sockets.set(socket, native);
        allowance.socketOpened(remoteAddress);
        open.begin();
        native.on('message', (data) => {
          if (allowance.mayAsk(remoteAddress)) guard(() => handler.message(socket, textOf(data)));
          else socket.end(GREEDY_CLIENT.code, GREEDY_CLIENT.reason);
        });
        native.on('pong', () => {
          socket.alive = true;
        });
        native.on('error', () => undefined);
        native.on('close', () => {
          socket.watch.stop();
          sockets.delete(socket);
          allowance.socketClosed(remoteAddress);
          guard(() => handler.close(socket));
          open.end();
        });
        guard(() => handler.open(socket));
      });
    });
    const ping = (): void => {
      pingAll(sockets);
      cancelPing = options.timers.after(FIXED_LIMITS.webSocketPingMs, ping);
    };
    cancelPing = options.timers.after(FIXED_LIMITS.webSocketPingMs, ping);
  }

  return {
    kind: 'node',
    listen(host, port) {
      return new Promise((resolve) => {
        const failed = (error: NodeJS.ErrnoException): void => {
          resolve(
            error.code === 'EADDRINUSE'
              ? { ok: false, code: 'E_PORT_IN_USE', host, port }
              : { ok: false, code: 'E_LISTEN_FAILED', host, port, reason: error.message },
          );
        };
        server.once('error', failed);
        server.listen({ host, port, exclusive: true }, () => {
          server.off('error', failed);
          resolve({ ok: true, port: portOf(server.address()) });
        });
      });
    },
    async close(graceful) {
      draining = true;
      cancelPing();
      allowance.stop();
      server.close();
      if (graceful) {
        await inFlight.idle();
        for (const socket of sockets.keys()) socket.end(1001, 'going away');
        await open.idle();
      }
      for (const native of sockets.values()) native.terminate();
      server.closeAllConnections();
      await open.idle();
    },
  };
}

/** Pings every socket and cuts those that did not answer the previous ping. */
function pingAll(sockets: ReadonlyMap<OpenSocket, WebSocket>): void {
  for (const [socket, native] of sockets) {
    if (!socket.alive) native.terminate();
    else {
      socket.alive = false;
      native.ping();
    }
  }
}

function textOf(data: RawData): string {
  const bytes = Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
  return bytes.toString('utf8');
}

function portOf(address: AddressInfo | string | null): number {
  return address !== null && typeof address === 'object' ? address.port : 0;
}
