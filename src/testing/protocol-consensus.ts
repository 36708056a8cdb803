/**
 * Messages of the consensus websocket: JSON-RPC, and notifications under the id of the subscribe request (CometBFT
 * 0.38, `rpc/core/events.go`). An interest is a query of `libs/pubsub/query`, by its text.
 */
import { isObject } from '../core/text/json-object.js';
import { membersBeside, parsed, type Json } from './json.js';
import type { Frame } from './model.js';
import type { Protocol } from './target.js';

const WORDING = {
  cutOff: { code: 1013, reason: /^slow client$/u },
  ended: /^subscription was cancell?ed \(reason: (slow client|CometBFT exited)\)$/u,
};
/** A position that no log reaches. */
const FUTURE_CURSOR = '999999999999999999';
const RESULT_MEMBERS = ['query', 'data', 'events'];

/** @param keyOf key of the item that the `result` of a notification tells of; undefined when it is not one */
export function consensusProtocol<Fact>(keyOf: (result: Json) => string | undefined): Protocol<Fact> {
  const call = (id: number, method: string, params: Json): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params });
  return {
    wording: WORDING,
    isOncePerConnection: true,
    asksForCursors: true,
    futureCursor: FUTURE_CURSOR,
    subscribe: (request, { name }, cursor) =>
      call(request, 'subscribe', { query: name, ...(cursor !== undefined && { cursor: String(cursor) }) }),
    unsubscribe: (request, { name }) => call(request, 'unsubscribe', { query: name }),
    idOf: (request, result) => (isEmpty(result) ? String(request) : undefined),
    hasUnsubscribed: isEmpty,
    read: (text) => [frameOf(text, keyOf)],
  };
}

function frameOf(text: string, keyOf: (result: Json) => string | undefined): Frame {
  const message = parsed(text);
  if (!isObject(message) || typeof message['id'] !== 'number') return { kind: 'unreadable', text };
  const { id: request, result, error } = message;
  if (isObject(error)) return { kind: 'answer', request, result: undefined, error: textOf(error) };
  if (!isObject(result) || !('data' in result))
    return result === undefined ? { kind: 'unreadable', text } : { kind: 'answer', request, result, error: undefined };
  const key = keyOf(result);
  if (key === undefined) return { kind: 'unreadable', text };
  const cursor = typeof result['cursor'] === 'string' ? result['cursor'] : undefined;
  const unexpected = [
    ...membersBeside(message, ['jsonrpc', 'id', 'result']),
    ...membersBeside(result, cursor === undefined ? RESULT_MEMBERS : [...RESULT_MEMBERS, 'cursor']),
  ];
  return { kind: 'event', subscription: String(request), key, cursor, unexpected };
}

/** CometBFT writes the description in `data`; `message` names the kind of error. */
function textOf({ message, data }: Json): string {
  return typeof data === 'string' && data !== '' ? data : String(message);
}

function isEmpty(result: unknown): boolean {
  return isObject(result) && Object.keys(result).length === 0;
}
