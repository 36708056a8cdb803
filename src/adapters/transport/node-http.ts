/**
 * Transport over node:http and `ws`, for platforms without a uWebSockets.js binary. It has the same contract as
 * `uws.ts`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { CLOSED, admit } from './guards.js';
import { listenOn } from './listen.js';
import { answer, readHead, refuseUpgrade } from './node-answer.js';
import { answerStreamed } from './node-stream.js';
import { serveSockets, type WsLibrary, type WsSocket } from './node-sockets.js';
import { OpenSockets } from './open-sockets.js';
import { AddressLimits } from './address-limits.js';
import { BodyCollector, type BodyRules, type BodyState } from './bodies.js';
import { ByteBudget } from './byte-budget.js';
import { Connections, ConnectionLimit } from './connection-limit.js';
import {
  BODY_TOO_LARGE,
  DUPLICATE_HEADER,
  HANDLER_FAILED,
  InFlight,
  NO_CONTENT,
  TOO_MANY_REQUESTS,
  completeLimits,
  noConnection,
} from './rules.js';
import type { HttpResponse, RequestHead, Server, ServerOptions } from './server.js';
import { LargeRequests } from './turns.js';
import { EMPTY } from '../../core/bytes/bytes.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../core/limits/limits.js';

/** Creates a node:http server; `library`: `ws`, needed only for websockets. */
export function createNodeServer(options: ServerOptions, library: WsLibrary | undefined): Server {
  const limits = completeLimits(options.limits);
  const exposure = options.exposure ?? CLOSED;
  const bodies: BodyRules = {
    maximum: limits.bodyBytes,
    budget: new ByteBudget(limits.pendingBodyBytes),
    tooLarge: options.tooLarge ?? BODY_TOO_LARGE,
  };
  const allowance = new AddressLimits(options.timers, limits);
  const large = options.large ?? new LargeRequests(options.timers);
  const inFlight = new InFlight();
  let draining = false;

  const handle = (request: IncomingMessage, native: ServerResponse): void => {
    const head = readHead(request);
    if (head === undefined) {
      answer(native, DUPLICATE_HEADER, true);
      return;
    }
    const admission = admit(head, exposure);
    if (admission.kind === 'answer') {
      // keep the connection after a preflight: the browser sends its request on it
      answer(native, admission.response, admission.response.status !== NO_CONTENT);
      return;
    }
    if (!allowance.takeToken(request.socket.remoteAddress ?? '')) {
      answer(native, TOO_MANY_REQUESTS, true, admission.headers);
      return;
    }
    const body = new BodyCollector(bodies);
    native.once('close', () => body.release());
    const received = (state: BodyState): void => {
      if (typeof state === 'object') answer(native, state, true, admission.headers);
      else if (state === 'whole') void respond(native, head, body.bytes(), admission.headers);
    };
    const check = options.inspect?.(head);
    received(body.begin(head.headers));
    request.on('data', (chunk: Uint8Array) => {
      if (!native.headersSent) received(body.take(chunk, false, check));
    });
    request.on('error', () => undefined);
    request.on('end', () => {
      if (!native.headersSent) received(body.take(EMPTY, true));
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
    // the response is in progress until its last byte is handed over or the client disconnects
    native.once('close', () => inFlight.end());
    try {
      if (body.length >= DEFAULT_LIMITS.largeRequestBytes) {
        await large.next();
        if (native.closed) return;
      }
      const response = await options.http({ ...head, body });
      if ('stream' in response) {
        const added = draining ? { ...headers, connection: 'close' } : headers;
        const { timers } = options;
        await answerStreamed(native, response, added, {
          isHead: head.method === 'HEAD',
          timers,
          stallMs: limits.stallMs,
        });
      } else answer(native, response, draining, headers);
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
  const connections = new Connections(limits.connections, options.connections ?? new ConnectionLimit());
  server.on('connection', (socket) => {
    socket.once('close', () => connections.leave());
    const refusal = connections.enter();
    if (refusal === undefined) return;
    socket.on('error', () => undefined);
    refuseUpgrade(socket, noConnection(refusal));
    socket.destroySoon();
  });
  server.setTimeout(FIXED_LIMITS.writeMs);

  // without a websocket handler an upgrade is an ordinary request
  const sockets = options.webSocket && library && new OpenSockets<WsSocket>(options.webSocket, options, allowance);
  const stopPings = sockets && library && serveSockets(server, sockets, library, { limits, timers: options.timers });

  return {
    kind: 'node',
    listen: (host, port) => listenOn(server, host, port),
    async close(graceful) {
      draining = true;
      stopPings?.();
      allowance.stop();
      server.close();
      if (graceful) {
        await inFlight.idle();
        await sockets?.end();
      }
      for (const socket of sockets?.all ?? []) socket.terminate();
      server.closeAllConnections();
      await sockets?.idle();
    },
  };
}
