/**
 * `eth_subscribe` and `eth_unsubscribe`: parameters and geth's refusals (v1.17 `eth/filters/api.go`); delivery is
 * behind `subscription-seam.ts`.
 */
import type { EthereumApi } from '../../../core/ethereum/api.js';
import { type Height, toHeight } from '../../../core/primitives.js';
import { type Cursor, parseCursor } from '../../../core/subscriptions/index.js';
import { isObject } from '../envelope.js';
import { NOTIFICATIONS_NOT_SUPPORTED, type RpcError, invalidParams } from '../errors.js';
import { filterRange } from '../log-range.js';
import { type Answer, type Method, failed, method, ok } from '../method.js';
import { decodeBlockNumber } from '../params/block-ref.js';
import { decodeCriteria } from '../params/criteria.js';
import { bad, good, kindOf, required } from '../params/param.js';
import type { Resolved } from '../resolve.js';
import type { SubscriptionRequest } from '../subscription-seam.js';

const subscriptionId = required('subscription id', (value) =>
  typeof value === 'string' ? good(value) : bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type rpc.ID`),
);

/**
 * Binds its own arguments: the errors depend on the kind of subscription, and without push every call has the same
 * error.
 */
const subscribe: Method = {
  name: 'eth_subscribe',
  namespace: 'eth',
  params: [required('kind', good)],
  bind: (args) => ({
    ok: true,
    run({ api, connection }): Answer {
      const subscriptions = connection.subscriptions?.();
      if (subscriptions === undefined) return failed(NOTIFICATIONS_NOT_SUPPORTED);
      const request = requestOf(api, args);
      if (!request.ok) return failed(request.error);
      const subscribed = subscriptions.subscribe(request.value);
      if (!subscribed.ok) return failed(subscribed.error);
      const { id } = subscribed;
      return {
        ok: true,
        json: `"${id}"`,
        consequence: { sent: () => subscribed.activate(), dropped: () => void subscriptions.unsubscribe(id) },
      };
    },
  }),
};

export const subscribeMethods: readonly Method[] = [
  subscribe,
  method('eth_unsubscribe', [subscriptionId], ([id], { connection }) =>
    ok(String(connection.subscriptions?.()?.unsubscribe(id) ?? false)),
  ),
];

/** Parses and checks the request. */
function requestOf(api: EthereumApi, args: readonly unknown[]): Resolved<SubscriptionRequest> {
  const [kind, options = null, ...rest] = args;
  if (typeof kind !== 'string') return refuse(invalidParams('expected subscription name as first argument'));
  if (rest.length > 0) return refuse(invalidParams('too many arguments, want at most 2'));
  const cursor = cursorOf(options);
  if (!cursor.ok) return cursor;
  switch (kind) {
    case 'newHeads': {
      const fromBlock = fromBlockOf(api, options);
      return fromBlock.ok ? { ok: true, value: { kind, fromBlock: fromBlock.value, cursor: cursor.value } } : fromBlock;
    }
    case 'logs': {
      const wanted = decodeCriteria(options ?? {});
      if (!wanted.ok) return refuse(invalidParams(`invalid argument 1: ${wanted.message}`));
      const range = filterRange(api, wanted.value);
      if (!range.ok) return range;
      const { addresses, topics } = wanted.value;
      return { ok: true, value: { kind, criteria: { ...range.value, addresses, topics }, cursor: cursor.value } };
    }
    case 'newPendingTransactions':
      if (options !== null && typeof options !== 'boolean' && !isObject(options))
        return refuse(
          invalidParams(`invalid argument 1: json: cannot unmarshal ${kindOf(options)} into Go value of type bool`),
        );
      return {
        ok: true,
        value: {
          kind,
          fullTransactions: options === true || (isObject(options) && options['fullTransactions'] === true),
          cursor: cursor.value,
        },
      };
    case 'syncing':
      return { ok: true, value: { kind } };
    default:
      return refuse({ code: -32601, message: `no ${JSON.stringify(kind.slice(0, 64))} subscription in eth namespace` });
  }
}

/** Extension of this node: `cursor` in the options resumes after the notification that carried it. */
function cursorOf(options: unknown): Resolved<Cursor | undefined> {
  const text = isObject(options) ? options['cursor'] : undefined;
  if (text === undefined || text === null) return { ok: true, value: undefined };
  const cursor = typeof text === 'string' || typeof text === 'number' ? parseCursor(String(text)) : undefined;
  return cursor === undefined
    ? refuse(invalidParams('invalid argument 1: cursor is not one that a notification carried'))
    : { ok: true, value: cursor };
}

/** Extension of this node: heads from a block on, then live. */
function fromBlockOf(api: EthereumApi, options: unknown): Resolved<Height | undefined> {
  const value = isObject(options) ? (options['fromBlock'] ?? null) : null;
  if (value === null) return { ok: true, value: undefined };
  const ref = decodeBlockNumber(value);
  if (!ref.ok) return refuse(invalidParams(`invalid argument 1: ${ref.message}`));
  const range = filterRange(api, { from: ref.value, to: undefined });
  return range.ok
    ? { ok: true, value: range.value.fromBlock === undefined ? undefined : toHeight(range.value.fromBlock) }
    : range;
}

function refuse(error: RpcError): { readonly ok: false; readonly error: RpcError } {
  return { ok: false, error };
}
