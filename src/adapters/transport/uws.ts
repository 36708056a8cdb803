/**
 * Transport over uWebSockets.js, which needs half of the CPU per request of node:http. This file and the other ones
 * whose names begin with `uws` handle the library's pitfalls: shared ports, dropped messages, bodies without a limit,
 * duplicate headers, access after an abort.
 */
import type { HttpResponse as UwsResponse, us_listen_socket as ListenSocket } from 'uWebSockets.js';
import { CLOSED, admit } from './guards.js';
import { LargeAnswers } from './large-answers.js';
import { OpenSockets } from './open-sockets.js';
import { Allowance } from './allowance.js';
import { BodyBudget, BodyCollector, declaresTooMuch } from './bodies.js';
import {
  BODY_TOO_LARGE,
  DUPLICATE_HEADER,
  HANDLER_FAILED,
  InFlight,
  NO_CONTENT,
  TOO_MANY_ANSWER_BYTES,
  TOO_MANY_BYTES,
  TOO_MANY_REQUESTS,
  completeLimits,
} from './rules.js';
import type { HttpResponse, RequestHead, Server, ServerOptions, StreamedResponse } from './server.js';
import { LargeRequests, Turns } from './turns.js';
import { addressOf, answer, readHead, writeHead } from './uws-answer.js';
import { listenExclusively, whyNot, type NativeTransport } from './uws-library.js';
import { StreamSender } from './uws-stream.js';
import { socketBehavior, type NativeSocket } from './uws-sockets.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../core/limits.js';

/** One request and its answer. */
interface Exchange {
  /** True when it was answered or its connection ended: the response must not be used. */
  done: boolean;
  /** Called when the connection ends. */
  ended: () => void;
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
  const sockets = options.webSocket && new OpenSockets<NativeSocket>(options.webSocket, options, allowance);
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
      if ('stream' in response) {
        await respondStreamed(native, method, response, exchange, headers);
        return;
      }
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

  const respondStreamed = async (
    native: UwsResponse,
    method: string,
    response: StreamedResponse,
    exchange: Exchange,
    headers: HttpResponse['headers'],
  ): Promise<void> => {
    const { stream } = response;
    if (exchange.done || method === 'HEAD') {
      stream.end();
      if (!exchange.done) answer(native, { ...response, body: '' }, undefined, false, headers);
      return;
    }
    const sender = new StreamSender(native, stream, options.timers, limits.stallMs);
    exchange.ended = () => sender.aborted();
    native.cork(() => writeHead(native, response, headers));
    await sender.run();
  };

  if (sockets !== undefined)
    app.ws(
      '/*',
      socketBehavior(sockets, limits.messageBytes, () => (connections -= 1)),
    );

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
        listenExclusively(app, host, port, (socket) => {
          if (socket === false) {
            resolve(whyNot(host, port));
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
        await inFlight.idle();
        await sockets?.end();
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
