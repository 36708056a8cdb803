/**
 * Transport over uWebSockets.js, which needs half the CPU of node:http per request. The `uws*` files handle the
 * library's pitfalls: shared ports, dropped messages, unlimited bodies, duplicate headers, access after an abort.
 */
import type { HttpResponse as UwsResponse, us_listen_socket as ListenSocket } from 'uWebSockets.js';
import { CLOSED, admit } from './guards.js';
import { OpenSockets } from './open-sockets.js';
import { AddressLimits } from './address-limits.js';
import { BodyCollector, type BodyRules } from './bodies.js';
import { ByteBudget } from './byte-budget.js';
import { Connections, ConnectionLimit } from './connection-limit.js';
import {
  BODY_TOO_LARGE,
  DUPLICATE_HEADER,
  NO_CONTENT,
  noConnection,
  TOO_MANY_REQUESTS,
  completeLimits,
} from './rules.js';
import type { HttpResponse, Server, ServerOptions } from './server.js';
import { Turns } from './turns.js';
import { addressOf, answer, readHead } from './uws-answer.js';
import { listenExclusively, listenFailure, type NativeTransport } from './uws-library.js';
import { createRequests, type ConnectionState } from './uws-requests.js';
import { socketBehavior, type NativeSocket } from './uws-sockets.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** Creates a server with the loaded library. */
export function createUwsServer(library: NativeTransport, options: ServerOptions): Server {
  // pass no argument, because App(undefined) aborts the process
  const app = library.App();
  const limits = completeLimits(options.limits);
  const exposure = options.exposure ?? CLOSED;
  const bodies: BodyRules = {
    maximum: limits.bodyBytes,
    budget: new ByteBudget(limits.pendingBodyBytes),
    tooLarge: options.tooLarge ?? BODY_TOO_LARGE,
  };
  const allowance = new AddressLimits(options.timers, limits);
  const reads = new Turns(FIXED_LIMITS.readsPerTurn, options.timers);
  const connections = new Connections(limits.connections, options.connections ?? new ConnectionLimit());
  const requests = createRequests(options, limits.stallMs);
  const sockets = options.webSocket && new OpenSockets<NativeSocket>(options.webSocket, options, allowance);
  let listening: ListenSocket | undefined;
  let closed = false;
  /**
   * True if all clients are exempt from per-address limits; then the address, a system call per request, is not read.
   */
  let isExempt = false;
  const takeToken = (native: UwsResponse): boolean => isExempt || allowance.takeToken(addressOf(native));

  // the library reports +1 and -1, but not -1 for a connection that became a websocket
  app.filter((native, change) => {
    if (change < 0) connections.leave();
    else {
      const refusal = connections.enter();
      if (refusal !== undefined) answer(native, noConnection(refusal), undefined, true);
    }
  });

  if (sockets !== undefined)
    app.ws(
      '/*',
      socketBehavior(sockets, limits.messageBytes, () => connections.leave()),
    );

  app.any('/*', (native, request) => {
    const head = readHead(request);
    const connection: ConnectionState = { done: false, ended: () => undefined };
    const body = new BodyCollector(bodies);
    let received = false;
    native.onAborted(() => {
      connection.done = true;
      connection.ended();
      // a complete request is handled even if its client has disconnected
      if (!received) body.release();
    });
    let paused = false;
    const resume = (): void => {
      if (!paused || connection.done) return;
      paused = false;
      native.resume();
    };
    const refuse = (response: HttpResponse, headers?: HttpResponse['headers']): void => {
      resume();
      connection.done = true;
      body.release();
      // keep the connection after a preflight: the browser sends its request on it
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
    if (!takeToken(native)) {
      refuse(TOO_MANY_REQUESTS, headers);
      return;
    }
    const begun = body.begin(head.headers);
    if (typeof begun === 'object') {
      refuse(begun, headers);
      return;
    }
    /** Created on the first piece, because most bodies arrive in one piece. */
    let check: ReturnType<NonNullable<ServerOptions['inspect']>> | 'unmade' = 'unmade';
    native.onData((chunk, isLast) => {
      if (connection.done || received) return;
      const piece = new Uint8Array(chunk);
      if (!isLast && check === 'unmade') check = options.inspect?.(head);
      const state = body.take(piece, isLast, isLast || check === 'unmade' ? undefined : check);
      if (typeof state === 'object') refuse(state, headers);
      else if (state === 'whole') {
        received = true;
        // data that was read before the pause is still delivered
        resume();
        requests.received({ native, head, body, headers, connection });
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
        listenExclusively(app, host, port, (socket) => {
          if (socket === false) {
            resolve(listenFailure(host, port));
            return;
          }
          listening = socket;
          isExempt = allowance.exemptsAllOf(host);
          resolve({ ok: true, port: library.us_socket_local_port(socket) });
        });
      });
    },
    async close(graceful) {
      if (listening !== undefined) library.us_listen_socket_close(listening);
      listening = undefined;
      if (graceful) {
        await requests.idle();
        await sockets?.end();
        // responses written in a library callback are sent when it returns, so close in a later turn
        await options.timers.yield();
      }
      if (closed) return;
      closed = true;
      requests.close();
      allowance.stop();
      app.close();
    },
  };
}
