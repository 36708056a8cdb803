/** One connection to `/websocket`: every method of the RPC plus subscriptions (cometbft-rpc.md 3). */
import type { Limits } from '../../../core/limits.js';
import {
  parseCursor,
  type Cursor,
  type Delivery,
  type Replay,
  type Subscription,
  type SubscriptionRegistry,
} from '../../../core/subscriptions/index.js';
import { internalError, type RpcError } from '../errors.js';
import { answerText, paramsSource, readRequest, type RpcRequest } from '../json-rpc.js';
import type { CallResult } from '../method.js';
import { type JsonLimits, splitJson } from '../raw-json.js';
import type { Session } from '../../transport/index.js';
import { canceledText, notificationText } from './notification.js';
import { createOutbox, type SessionSocket } from './outbox.js';
import { resume } from './resume.js';

export interface CometSessionOptions {
  readonly registry: SubscriptionRegistry;
  readonly replay: Replay;
  readonly socket: SessionSocket;
  readonly limits: JsonLimits & Pick<Limits, 'httpBodyBytes' | 'socketPauseBytes' | 'socketCutoffBytes'>;
  /** Calls any other method with the raw JSON text of its params (`CometRpc.callRaw`). */
  readonly callRaw: (method: string, rawParams: string | undefined) => Promise<CallResult>;
}

/** Requests of one connection that wait for the one being answered; in bytes they are bound by `httpBodyBytes`. */
const MAXIMUM_WAITING = 1_000;
const CLOSE_GOING_AWAY = 1001;
const CLOSE_POLICY = 1008;
const CLOSE_TRY_LATER = 1013;
const EMPTY: CallResult = { ok: true, result: '{}' };
const TOO_FEW_ARGUMENTS = 'WSJSONRPC: reflect: Call with too few input arguments';

/** Starts a session on an open socket. */
export function createCometSession(options: CometSessionOptions): Session {
  const { registry, socket, limits } = options;
  const outbox = createOutbox(socket, limits);
  const ids = new Map<Subscription, string>();
  const requests: string[] = [];
  let requestBytes = 0;
  let answering = false;
  let closed = false;

  const close = (): void => {
    closed = true;
    ids.clear();
    requests.length = 0;
    outbox.clear();
  };
  const cutOff = (code: number, reason: string): void => {
    const frames = [...ids.values()].map((id) => canceledText(id, reason));
    client.disconnect(reason === 'slow client' ? 'slow client' : 'closed');
    close();
    socket.cork(() => frames.forEach((frame) => socket.send(frame)));
    socket.close(code, reason);
  };
  const push = (deliveries: readonly Delivery[], live: boolean): void => {
    outbox.push(
      deliveries.flatMap((delivery) => {
        const id = ids.get(delivery.subscription);
        return id === undefined
          ? []
          : [{ subscription: delivery.subscription, text: notificationText(id, delivery), live }];
      }),
    );
  };
  const client = registry.connect((deliveries) => {
    if (closed) return;
    if (outbox.isOverfull()) cutOff(CLOSE_TRY_LATER, 'slow client');
    else push(deliveries, true);
  });
  const forget = (subscription: Subscription): void => {
    ids.delete(subscription);
    outbox.drop(subscription);
  };

  const startResume = (subscription: Subscription, from: Cursor): void => {
    const isOpen = (): boolean => ids.has(subscription);
    resume(subscription, from, {
      replay: options.replay,
      position: () => registry.position(),
      isOpen,
      deliver(deliveries) {
        push(deliveries, false);
        return outbox.emptied();
      },
      activate: () => void client.activate(subscription),
    }).catch(() => {
      const id = ids.get(subscription);
      if (id === undefined) return;
      client.unsubscribe(subscription.query.text);
      forget(subscription);
      socket.send(canceledText(id, 'replay failed'));
    });
  };

  const subscribe = (id: string, rawParams: string): void => {
    const params = readParams(rawParams, limits);
    if (!params.ok) return answer(id, refusal(params.message));
    const { cursor } = params;
    if (cursor !== undefined && cursor.after > registry.position())
      return answer(id, refusal('cursor is ahead of the log'));
    const subscribed = client.subscribe(params.query, { paused: cursor !== undefined });
    if (!subscribed.ok) return answer(id, refusal(subscribed.message));
    ids.set(subscribed.value, id);
    // The response leaves in the turn of the registration, hence before anything that is published after it.
    answer(id, EMPTY);
    if (cursor !== undefined) startResume(subscribed.value, cursor);
  };
  const unsubscribe = (id: string, rawParams: string): void => {
    const params = readParams(rawParams, limits);
    if (!params.ok) return answer(id, refusal(params.message));
    const ended = client.unsubscribe(params.query);
    if (!ended.ok) return answer(id, refusal(ended.message));
    forget(ended.value);
    answer(id, EMPTY);
  };
  const unsubscribeAll = (id: string): void => {
    const ended = client.unsubscribeAll();
    if (!ended.ok) return answer(id, refusal(ended.message));
    ended.value.forEach(forget);
    answer(id, EMPTY);
  };
  const answer = (id: string | undefined, result: CallResult): void => {
    if (!closed) socket.send(answerText(id, result));
  };

  /** Undefined when the request was answered at once. */
  const handle = (request: RpcRequest & { readonly id: string }): Promise<void> | undefined => {
    const { id, method, rawParams } = request;
    switch (method) {
      case 'subscribe':
      case 'unsubscribe':
        if (rawParams === undefined) answer('-1', refusal(TOO_FEW_ARGUMENTS));
        else if (method === 'subscribe') subscribe(id, rawParams);
        else unsubscribe(id, rawParams);
        return undefined;
      case 'unsubscribe_all':
        unsubscribeAll(id);
        return undefined;
      default:
        return options.callRaw(method, rawParams).then(
          (result) => answer(id, asSocketResult(result)),
          () => answer(id, refusal('internal error')),
        );
    }
  };
  /** Answers strictly one after another, and only while the client reads. */
  const work = (): void => {
    while (!answering && !closed && outbox.hasRoom()) {
      const text = requests.shift();
      if (text === undefined) return;
      requestBytes -= text.length;
      const envelope = readRequest(text, limits);
      if (!envelope.ok) {
        answer(undefined, asStreamError(envelope.error));
        continue;
      }
      const { id } = envelope.request;
      // A call without id is a notification: not executed, not answered.
      const pending = id === undefined ? undefined : handle({ ...envelope.request, id });
      if (pending === undefined) continue;
      answering = true;
      void pending.then(() => {
        answering = false;
        work();
      });
    }
  };

  return {
    onMessage(text) {
      if (closed) return;
      if (requests.length >= MAXIMUM_WAITING || requestBytes + text.length > limits.httpBodyBytes + MAXIMUM_WAITING) {
        cutOff(CLOSE_POLICY, 'too many requests are waiting');
        return;
      }
      requests.push(text);
      requestBytes += text.length;
      work();
    },
    onDrain() {
      if (closed) return;
      outbox.drain();
      work();
    },
    onStalled() {
      if (!closed) cutOff(CLOSE_TRY_LATER, 'slow client');
    },
    onClose() {
      client.disconnect('closed');
      close();
    },
    stop(reason) {
      if (!closed) cutOff(CLOSE_GOING_AWAY, reason);
    },
  };
}

type SubscribeParams =
  | { readonly ok: true; readonly query: string; readonly cursor: Cursor | undefined }
  | { readonly ok: false; readonly message: string };

/** `{query, cursor?}`, `[query]` or `[query, cursor]`. */
function readParams(rawParams: string, limits: JsonLimits): SubscribeParams {
  const strict = paramsSource(rawParams, ['query'], limits);
  const withCursor = strict.ok ? strict : paramsSource(rawParams, ['query', 'cursor'], limits);
  const params = withCursor.ok ? withCursor : strict;
  if (!params.ok) return { ok: false, message: params.error.data ?? params.error.message };
  const query = splitJson(params.source('query', 0)?.text ?? 'null', limits);
  if (!query.ok) return { ok: false, message: `error converting json params to arguments: ${query.error}` };
  if (query.value.kind !== 'string' && query.value.kind !== 'null') {
    return {
      ok: false,
      message: `error converting json params to arguments: json: cannot unmarshal ${query.value.kind} into Go value of type string`,
    };
  }
  const text = query.value.kind === 'string' ? query.value.value : '';
  const rawCursor = params.source('cursor', 1)?.text ?? 'null';
  if (rawCursor === 'null') return { ok: true, query: text, cursor: undefined };
  const cursor = parseCursor(
    /^"[0-9.]*"$/u.test(rawCursor) ? rawCursor.slice(1, -1) : /^[0-9]+$/u.test(rawCursor) ? rawCursor : '',
  );
  if (cursor === undefined) return { ok: false, message: 'cursor is not one that a notification carried' };
  return { ok: true, query: text, cursor };
}

function refusal(data: string): CallResult {
  return { ok: false, error: internalError(data) };
}

/** On the websocket bad params are an internal error (cometbft-rpc.md 3.1). */
function asSocketResult(result: CallResult): CallResult {
  if (result.ok || result.error.code !== -32602) return result;
  return { ok: false, error: internalError(result.error.data ?? result.error.message) };
}

/** The peer reads frames with a stream decoder, which names a broken end differently from its HTTP decoder. */
function asStreamError(error: RpcError): CallResult {
  return {
    ok: false,
    error: { ...error, data: (error.data ?? '').replace('unexpected end of JSON input', 'unexpected EOF') },
  };
}
