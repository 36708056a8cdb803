/** Handles complete HTTP requests of uWebSockets.js and sends their responses. */
import type { HttpResponse as UwsResponse } from 'uWebSockets.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../core/limits/limits.js';
import type { BodyCollector } from './bodies.js';
import { Groups } from './groups.js';
import { LargeAnswers } from './large-answers.js';
import { HANDLER_FAILED, InFlight, TOO_MANY_ANSWER_BYTES } from './rules.js';
import type { HttpResponse, RequestHead, ServerOptions, StreamedResponse } from './server.js';
import { LargeRequests } from './turns.js';
import { answer, writeHead } from './uws-answer.js';
import { StreamSender } from './uws-stream.js';

/** One request and its response. */
export interface Exchange {
  readonly native: UwsResponse;
  readonly head: RequestHead;
  readonly body: BodyCollector;
  /** Headers to add to the response. */
  readonly headers: HttpResponse['headers'];
  readonly connection: ConnectionState;
}

/** State of a request's connection. */
export interface ConnectionState {
  /** True if the request is answered or the connection has ended; then the response must not be used. */
  done: boolean;
  /** Called when the connection has ended. */
  ended: () => void;
}

type Answered = HttpResponse | StreamedResponse;

export interface Requests {
  /** Receives a request whose body is complete. */
  received(exchange: Exchange): void;
  /** Resolves when every received request is answered. */
  idle(): Promise<void>;
  /** Stops calling handlers. */
  close(): void;
}

/**
 * Creates the request handling. Requests that arrive in one turn of the event loop are handled after all were read,
 * and short responses are sent together: a system call between two handlers costs as much as a short handler, because
 * they evict each other's CPU caches.
 */
export function createRequests(options: ServerOptions, stallMs: number): Requests {
  const large = options.large ?? new LargeRequests(options.timers);
  const answers = new LargeAnswers(DEFAULT_LIMITS.pendingAnswerBytes);
  const inFlight = new InFlight();
  let isClosed = false;

  const failed = (error: unknown): HttpResponse => {
    options.onDefect(error);
    return HANDLER_FAILED;
  };
  /** Calls the handler; undefined if the client has disconnected. */
  const ask = ({ head, body }: Exchange): Answered | undefined | Promise<Answered | undefined> => {
    if (isClosed) return undefined;
    const { method, path, query, headers } = head;
    try {
      // field by field, because V8 creates a new shape for each spread object and keeps it until the next full
      // garbage collection
      return options.http({ method, path, query, headers, body: body.bytes() });
    } catch (error) {
      return failed(error);
    }
  };
  const ended = ({ body }: Exchange): void => {
    body.release();
    inFlight.end();
  };
  const send = async (exchange: Exchange, answered: Answered | undefined): Promise<void> => {
    const { native, head, headers, connection } = exchange;
    if (answered === undefined) return;
    if ('stream' in answered) await sendStream(exchange, answered, stallMs, options);
    else if (connection.done) return;
    // never pass `close`: outside of the library's callbacks it closes the connection before the corked bytes are
    // sent
    else if (!isLarge(answered, head)) answer(native, answered, head, false, headers);
    else await sendLarge(exchange, answered, answers);
  };
  const sendLater = async (
    exchange: Exchange,
    answered: Answered | undefined | Promise<Answered | undefined>,
  ): Promise<void> => {
    try {
      await send(exchange, await answered);
    } catch (error) {
      const response = failed(error);
      const { native, head, headers, connection } = exchange;
      if (!connection.done) answer(native, response, head, false, headers);
    } finally {
      ended(exchange);
    }
  };
  const groups = new Groups<Exchange, Answered | undefined | Promise<Answered | undefined>>({
    size: FIXED_LIMITS.requestsPerTurn,
    milliseconds: FIXED_LIMITS.requestsPerTurnMs,
    timers: options.timers,
    elapsed: () => performance.now(),
    handle: ask,
    finish: (exchange, answered) => void sendLater(exchange, answered),
  });

  return {
    received(exchange) {
      inFlight.begin();
      if (exchange.body.length < DEFAULT_LIMITS.largeRequestBytes) {
        groups.add(exchange);
        return;
      }
      const answering = large.next().then(() => (exchange.connection.done ? undefined : ask(exchange)));
      void sendLater(exchange, answering);
    },
    idle: () => inFlight.idle(),
    close() {
      isClosed = true;
    },
  };
}

function isLarge({ body }: HttpResponse, { method }: RequestHead): boolean {
  return body.length >= DEFAULT_LIMITS.largeAnswerBytes && method !== 'HEAD';
}

async function sendLarge(
  { native, headers, connection }: Exchange,
  response: HttpResponse,
  answers: LargeAnswers,
): Promise<void> {
  const body = typeof response.body === 'string' ? Buffer.from(response.body) : response.body;
  if (!answers.take(body)) {
    answer(native, TOO_MANY_ANSWER_BYTES, undefined, false, headers);
    return;
  }
  const ended = new Promise<void>((resolve) => {
    connection.ended = resolve;
  });
  let sent = Promise.resolve();
  native.cork(() => {
    writeHead(native, response, headers);
    sent = answers.send(native, body, ended);
  });
  await sent;
}

async function sendStream(
  { native, head, headers, connection }: Exchange,
  response: StreamedResponse,
  stallMs: number,
  { timers }: ServerOptions,
): Promise<void> {
  const { stream } = response;
  if (connection.done || head.method === 'HEAD') {
    stream.end();
    if (!connection.done) answer(native, { ...response, body: '' }, undefined, false, headers);
    return;
  }
  const sender = new StreamSender(native, stream, timers, stallMs);
  connection.ended = () => sender.aborted();
  native.cork(() => writeHead(native, response, headers));
  await sender.run();
}
