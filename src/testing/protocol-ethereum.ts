/**
 * Messages of the Ethereum websocket: `eth_subscribe`, `eth_unsubscribe` and `eth_subscription` as go-ethereum has them
 * (`rpc/subscription.go`).
 */
import { isObject } from '../core/text/json-object.js';
import { membersBeside, parsed, type Json } from './json.js';
import type { Frame, Interest } from './model.js';
import type { Protocol } from './target.js';

/** An interest of the Ethereum websocket. */
export interface EthereumInterest<Fact> extends Interest<Fact> {
  /** Parameters of `eth_subscribe`, without cursor. */
  readonly params: readonly [kind: string, ...options: readonly (Json | boolean)[]];
}

const WORDING = { cutOff: { code: 1013, reason: /^slow consumer: [0-9]+ bytes pending$/u }, ended: undefined };
/** A position that no log reaches. */
const FUTURE_CURSOR = '999999999999999999';

/** @param keyOf key of the item that the `result` of a notification tells of; undefined when it is not one */
export function ethereumProtocol<Fact>(
  interests: readonly EthereumInterest<Fact>[],
  keyOf: (result: unknown) => string | undefined,
): Protocol<Fact> {
  const call = (id: number, method: string, params: readonly unknown[]): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const paramsOf = ({ name }: Interest<Fact>, cursor: string | true | undefined): readonly unknown[] => {
    const [kind = '', ...options] = interests.find((one) => one.name === name)?.params ?? [];
    return cursor === undefined ? [kind, ...options] : [kind, ...withCursor(options, cursor)];
  };
  return {
    wording: WORDING,
    isOncePerConnection: false,
    asksForCursors: true,
    futureCursor: FUTURE_CURSOR,
    subscribe: (request, interest, cursor) => call(request, 'eth_subscribe', paramsOf(interest, cursor)),
    unsubscribe: (request, _, id) => call(request, 'eth_unsubscribe', [id]),
    idOf: (_, result) => (typeof result === 'string' && /^0x[0-9a-f]+$/u.test(result) ? result : undefined),
    hasUnsubscribed: (result) => result === true,
    read(text) {
      const message = parsed(text);
      if (message === undefined) return [{ kind: 'unreadable', text }];
      return isObject(message) ? [frameOf(message, keyOf)] : message.map((part) => frameOf(part, keyOf));
    },
  };
}

/**
 * Adds the cursor to the options object, or creates one. The `true` of `newPendingTransactions` becomes a member of
 * it.
 */
function withCursor(options: readonly (Json | boolean)[], cursor: string | true): readonly (Json | boolean)[] {
  const last = options.at(-1);
  if (last === true) return [{ fullTransactions: true, cursor }];
  return isObject(last) ? [...options.slice(0, -1), { ...last, cursor }] : [...options, { cursor }];
}

function frameOf(message: unknown, keyOf: (result: unknown) => string | undefined): Frame {
  const unreadable: Frame = { kind: 'unreadable', text: JSON.stringify(message) };
  if (!isObject(message)) return unreadable;
  const { id, result, error, params } = message;
  if (typeof id === 'number') {
    if (isObject(error)) return { kind: 'answer', request: id, result: undefined, error: String(error['message']) };
    return result === undefined ? unreadable : { kind: 'answer', request: id, result, error: undefined };
  }
  if (message['method'] !== 'eth_subscription' || !isObject(params)) return unreadable;
  const key = keyOf(params['result']);
  if (key === undefined || typeof params['subscription'] !== 'string') return unreadable;
  const cursor = typeof params['cursor'] === 'string' ? params['cursor'] : undefined;
  const members = ['subscription', 'result', ...(cursor === undefined ? [] : ['cursor'])];
  const unexpected = [...membersBeside(message, ['jsonrpc', 'method', 'params']), ...membersBeside(params, members)];
  return { kind: 'event', subscription: params['subscription'], key, cursor, unexpected };
}
