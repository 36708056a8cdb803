/** One connection to `/websocket`: every method of the RPC plus subscriptions (CometBFT spec/rpc/README.md, v0.38). */
import type { CallEnd } from '../../../core/activity/client-call.js';
import type { Limits } from '../../../core/limits/limits.js';
import { readCriteria } from '../../../core/subscriptions/index.js';
import { followedBy, type PushEngine, type PushSocket, type PushSubscription } from '../../push/index.js';
import { idOf } from '../../json-rpc-id.js';
import type { LargeRequests, Message, Session } from '../../transport/index.js';
import { internalError, type RpcError } from '../errors.js';
import { answerText, readRequest, type RpcRequest } from '../json-rpc.js';
import type { CallResult } from '../method.js';
import type { JsonLimits } from '../../raw-json.js';
import { canceledText, COMET_ENCODING, prefixOf } from './encoding.js';
import { refusalOf } from './refusals.js';
import { readSubscribeParams } from './subscribe-params.js';

export interface CometSessionOptions {
  readonly engine: Pick<PushEngine, 'connect'>;
  readonly socket: PushSocket;
  readonly limits: JsonLimits &
    Pick<
      Limits,
      'cometBodyBytes' | 'largeRequestBytes' | 'socketPauseBytes' | 'cometQueryBytes' | 'cometWsWaitingMessages'
    >;
  /** Scheduler of large messages, one at a time. */
  readonly large: Pick<LargeRequests, 'next'>;
  /** Calls a method that is not about subscriptions (`CometRpc.callRaw`). */
  readonly callRaw: (method: string, rawParams: string | undefined) => Promise<CallResult>;
  /** Called for each subscribe and unsubscribe call, because `callRaw` does not see them. */
  readonly onSubscription?: ((method: string) => CallEnd) | undefined;
  /** Called with an exception of a subscription (a bug). */
  readonly onDefect: (error: unknown) => void;
}

/** Answers the running call. */
type Reply = (result: CallResult) => void;

const EMPTY: CallResult = { ok: true, result: '{}' };
const NOT_FOUND: CallResult = refusal('subscription not found');
const TOO_FEW_ARGUMENTS = 'WSJSONRPC: reflect: Call with too few input arguments';

/** Starts a session on an open socket. */
export function createCometSession({
  engine,
  socket,
  limits,
  large,
  callRaw,
  onSubscription,
  onDefect,
}: CometSessionOptions): Session {
  /** Keyed by the normalised query, so that two spellings are the same subscription. */
  const subscriptions = new Map<string, PushSubscription>();
  const requests: Message[] = [];
  let requestBytes = 0;
  let answering = false;
  let closed = false;

  const close = (): void => {
    closed = true;
    subscriptions.clear();
    for (const message of requests.splice(0)) message.release();
  };
  const connection = engine.connect(COMET_ENCODING, {
    send: (text) => socket.send(text),
    bufferedBytes: () => socket.bufferedBytes(),
    cork: (run) => socket.cork(run),
    end(code, reason) {
      close();
      socket.end(code, reason);
    },
  });
  const answer = (id: string | undefined, result: CallResult): void => {
    if (!closed) socket.send(answerText(id, result));
  };

  const subscribe = (id: string, rawParams: string, reply: Reply): void | Promise<void> => {
    const params = readSubscribeParams(rawParams, limits);
    if (!params.ok) return reply(refusal(params.message));
    const subscribed = connection.subscribe({
      criteria: { kind: 'queryText', text: params.query },
      start: params.start,
      cursors: params.cursors,
      prefix: (criteria) => (criteria.kind === 'query' ? prefixOf(id, criteria.query) : ''),
      finalFrame: (reason) => canceledText(id, reason),
    });
    return followedBy(subscribed, (settled): void => {
      if (!settled.ok) return reply({ ok: false, error: refusalOf(settled.refusal) });
      const { subscription } = settled;
      if (subscription.criteria.kind === 'query') subscriptions.set(subscription.criteria.query.normal, subscription);
      reply(EMPTY);
      subscription.activate();
    });
  };
  const unsubscribe = (rawParams: string, reply: Reply): void => {
    const params = readSubscribeParams(rawParams, limits);
    if (!params.ok) return reply(refusal(params.message));
    const read = readCriteria({ kind: 'queryText', text: params.query }, limits);
    if (!read.ok) return reply({ ok: false, error: refusalOf(read.refusal) });
    const normal = read.criteria.kind === 'query' ? read.criteria.query.normal : '';
    const ended = subscriptions.get(normal)?.end() === true;
    subscriptions.delete(normal);
    reply(ended ? EMPTY : NOT_FOUND);
  };
  const unsubscribeAll = (reply: Reply): void => {
    const ended = [...subscriptions.values()].filter((subscription) => subscription.end());
    subscriptions.clear();
    reply(ended.length > 0 ? EMPTY : NOT_FOUND);
  };

  const failed = (id: string | undefined, error: unknown): void => {
    onDefect(error);
    answer(id, refusal('internal error'));
  };
  /** Handles a request; undefined if it was answered synchronously. */
  const handle = (request: RpcRequest & { readonly id: string }): Promise<void> | undefined => {
    const { id, method, rawParams } = request;
    const replying = (to: string): Reply => {
      const ended = onSubscription?.(method);
      return (result) => {
        ended?.(result.ok ? undefined : result.error.code);
        answer(to, result);
      };
    };
    switch (method) {
      case 'subscribe':
      case 'unsubscribe':
        if (rawParams === undefined) replying('-1')(refusal(TOO_FEW_ARGUMENTS));
        else if (method === 'subscribe') return subscribe(id, rawParams, replying(id)) ?? undefined;
        else unsubscribe(rawParams, replying(id));
        return undefined;
      case 'unsubscribe_all':
        unsubscribeAll(replying(id));
        return undefined;
      default:
        return callRaw(method, rawParams).then(
          (result) => answer(id, asSocketResult(result)),
          () => answer(id, refusal('internal error')),
        );
    }
  };
  /**
   * Handles queued messages one at a time, and only while the client reads. `hasTurn`: the first message has its turn
   * as a large message.
   */
  const work = (hasTurn = false): void => {
    let mayBeLarge = hasTurn;
    while (!answering && !closed && socket.bufferedBytes() < limits.socketPauseBytes) {
      const [message] = requests;
      if (message === undefined) return;
      if (message.bytes >= limits.largeRequestBytes && !mayBeLarge) {
        answering = true;
        void large.next().then(() => {
          answering = false;
          work(true);
        });
        return;
      }
      mayBeLarge = false;
      requests.shift();
      requestBytes -= message.bytes;
      const envelope = readRequest(message.text(), limits);
      if (!envelope.ok) {
        message.release();
        answer(undefined, asStreamError(envelope.error));
        continue;
      }
      const { id } = envelope.request;
      // A call without id is a notification: not executed, not answered.
      const pending = id === undefined ? undefined : handle({ ...envelope.request, id });
      if (pending === undefined) {
        message.release();
        continue;
      }
      answering = true;
      void pending
        .catch((error: unknown) => failed(id, error))
        .then(() => {
          answering = false;
          message.release();
          work();
        });
    }
  };

  return {
    onMessage(message) {
      const { cometBodyBytes, cometWsWaitingMessages } = limits;
      if (
        closed ||
        requests.length >= cometWsWaitingMessages ||
        requestBytes + message.bytes > cometBodyBytes + cometWsWaitingMessages
      ) {
        message.release();
        if (!closed) connection.end({ kind: 'greedy' });
        return;
      }
      requests.push(message);
      requestBytes += message.bytes;
      work();
    },
    onNoRoom(bytes, reason) {
      if (closed || socket.bufferedBytes() >= limits.socketPauseBytes) return false;
      const id = idOf(bytes);
      if (id !== undefined) answer(id, refusal(reason));
      return id !== undefined;
    },
    onDrain() {
      if (closed) return;
      connection.drained();
      work();
    },
    onStalled: () => connection.stalled(),
    onClose() {
      connection.closed();
      close();
    },
    stop: (reason) => connection.end({ kind: 'stopping', reason }),
  };
}

function refusal(data: string): CallResult {
  return { ok: false, error: internalError(data) };
}

/** Converts invalid params to an internal error, as CometBFT's websocket handler does. */
function asSocketResult(result: CallResult): CallResult {
  if (result.ok || result.error.code !== -32602) return result;
  return { ok: false, error: internalError(result.error.data ?? result.error.message) };
}

/**
 * Adapts the parse error of truncated JSON: CometBFT decodes websocket frames with a stream decoder, whose error text
 * differs.
 */
function asStreamError(error: RpcError): CallResult {
  return {
    ok: false,
    error: { ...error, data: (error.data ?? '').replace('unexpected end of JSON input', 'unexpected EOF') },
  };
}
