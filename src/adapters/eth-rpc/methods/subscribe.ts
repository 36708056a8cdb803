/**
 * `eth_subscribe` and `eth_unsubscribe`: parameters and geth's errors (v1.17 `eth/filters/api.go`).
 * `subscriptions/ports.ts` is the interface to delivery.
 */
import { hex } from '../../../core/bytes/hex.js';
import type { EthereumApi } from '../../../core/ethereum/api.js';
import { ETHEREUM_LIMITS } from '../../../core/limits/limits.js';
import { type Height, toHeight } from '../../../core/primitives.js';
import { parseCursor } from '../../../core/subscriptions/index.js';
import { isObject } from '../../../core/text/json-object.js';
import { NOTIFICATIONS_NOT_SUPPORTED, invalidParams, serverError } from '../errors.js';
import { filterRange } from '../log-range.js';
import { type Answer, type FailedAnswer, type Method, failed, method, ok } from '../method.js';
import { BLOCK_NUMBER, decodeBlockNumber } from '../params/block-ref.js';
import { CRITERIA, decodeCriteria } from '../params/criteria.js';
import { hash } from '../params/hex.js';
import { type Refusal, bad, decodeEach, good, optional, required, wrongKind } from '../params/param.js';
import type { Resolved } from '../resolve.js';
import type { SubscriptionRequest } from '../subscriptions/index.js';
import { followedBy, INVALID_CURSOR, type PushStart } from '../../push/index.js';
import * as schema from '../schema.js';

const subscriptionId = required('subscription id', schema.TEXT, (value) =>
  typeof value === 'string' ? good(value) : wrongKind(value, 'rpc.ID'),
);

const KINDS = [
  'newHeads',
  'logs',
  'newPendingTransactions',
  'transactionReceipts',
  'syncing',
] as const satisfies readonly SubscriptionRequest['criteria']['kind'][];

/** Schema of the options of all kinds; `cursor` is an extension of this node. */
const OPTIONS = schema.anyOf(
  CRITERIA,
  schema.objectOf({ fromBlock: BLOCK_NUMBER }, []),
  schema.BOOLEAN,
  schema.objectOf({ fullTransactions: schema.BOOLEAN }, []),
  schema.objectOf({ transactionHashes: schema.listOf(schema.HASH, ETHEREUM_LIMITS.ethReceiptHashes) }, []),
  schema.objectOf({ cursor: schema.anyOf(schema.TEXT, schema.BOOLEAN) }, []),
);

/**
 * Decodes its arguments itself, because errors depend on the kind of subscription, and without push every call gets
 * the same error.
 */
const subscribe: Method = {
  name: 'eth_subscribe',
  namespace: 'eth',
  summary: 'Subscribes a websocket to what happens; answers the id of the subscription',
  params: [required('kind', schema.oneOfTexts(...KINDS), good), optional(required('options', OPTIONS, good))],
  result: schema.TEXT,
  bind: (args) => ({
    ok: true,
    run({ api, connection }): Answer | Promise<Answer> {
      const subscriptions = connection.subscriptions?.();
      if (subscriptions === undefined) return failed(NOTIFICATIONS_NOT_SUPPORTED);
      const request = requestOf(api, args);
      if (!request.ok) return failed(request.error);
      return followedBy(subscriptions.subscribe(request.value), (subscribed): Answer => {
        if (!subscribed.ok) return failed(subscribed.error);
        const { id } = subscribed;
        return {
          ok: true,
          json: `"${id}"`,
          consequence: { sent: () => subscribed.activate(), dropped: () => void subscriptions.unsubscribe(id) },
        };
      });
    },
  }),
};

export const subscribeMethods: readonly Method[] = [
  subscribe,
  method(
    'eth_unsubscribe',
    'Ends a subscription of this websocket; answers whether there was one',
    [subscriptionId],
    schema.BOOLEAN,
    ([id], { connection }) => ok(String(connection.subscriptions?.()?.unsubscribe(id) ?? false)),
  ),
];

/** Parses and validates the request. */
function requestOf(api: EthereumApi, args: readonly unknown[]): Resolved<SubscriptionRequest> {
  const [kind, options = null, ...rest] = args;
  if (typeof kind !== 'string') return failed(invalidParams('expected subscription name as first argument'));
  if (rest.length > 0) return failed(invalidParams('too many arguments, want at most 2'));
  const beginning = beginningOf(options);
  if (!beginning.ok) return beginning;
  const { cursors, start } = beginning.value;
  /** Where to start: a cursor takes precedence over a block. */
  const from = (height: Height | undefined): PushStart =>
    start.kind === 'now' && height !== undefined ? { kind: 'height', height } : start;
  switch (kind) {
    case 'newHeads': {
      const fromBlock = fromBlockOf(api, options);
      if (!fromBlock.ok) return fromBlock;
      const criteria = { kind, fromBlock: fromBlock.value } as const;
      return { ok: true, value: { criteria, start: from(fromBlock.value), cursors } };
    }
    case 'logs': {
      const decoded = decodeCriteria(options ?? {});
      if (!decoded.ok) return refuseOptions(decoded);
      const range = filterRange(api, decoded.value);
      if (!range.ok) return range;
      const { addresses, topics } = decoded.value;
      const criteria = { kind, criteria: { ...range.value, addresses, topics } } as const;
      return { ok: true, value: { criteria, start: from(range.value.fromBlock), cursors } };
    }
    case 'newPendingTransactions': {
      if (options !== null && typeof options !== 'boolean' && !isObject(options))
        return refuseOptions(wrongKind(options, 'bool'));
      const fullTransactions = options === true || (isObject(options) && options['fullTransactions'] === true);
      return { ok: true, value: { criteria: { kind, fullTransactions }, start, cursors } };
    }
    case 'transactionReceipts': {
      const hashes = receiptHashes(options);
      if (!hashes.ok) return hashes;
      return { ok: true, value: { criteria: { kind, hashes: hashes.value }, start, cursors } };
    }
    case 'syncing':
      // an external engine reports no sync changes; this is cosmos/evm v0.6's error text
      if (api.engine !== undefined) return failed(serverError('syncing subscription is not implemented'));
      return { ok: true, value: { criteria: { kind }, start: { kind: 'now' }, cursors: false } };
    default:
      return failed({ code: -32601, message: `no ${JSON.stringify(kind.slice(0, 64))} subscription in eth namespace` });
  }
}

/**
 * Extension of this node: `cursor` in the options resumes after a log position; `true` requests cursors from now on.
 */
function beginningOf(options: unknown): Resolved<Pick<SubscriptionRequest, 'start' | 'cursors'>> {
  const option = isObject(options) ? (options['cursor'] ?? null) : null;
  if (option === null) return { ok: true, value: { start: { kind: 'now' }, cursors: false } };
  if (option === true) return { ok: true, value: { start: { kind: 'now' }, cursors: true } };
  const cursor = typeof option === 'string' || typeof option === 'number' ? parseCursor(String(option)) : undefined;
  return cursor === undefined
    ? refuseOptions(bad(INVALID_CURSOR))
    : { ok: true, value: { start: { kind: 'cursor', cursor }, cursors: true } };
}

/** Hashes of transactions whose receipts are requested (geth `TransactionReceiptsQuery`); an empty set means all. */
function receiptHashes(options: unknown): Resolved<ReadonlySet<string>> {
  const { ethReceiptHashes: maximum } = ETHEREUM_LIMITS;
  const listed = isObject(options) ? (options['transactionHashes'] ?? []) : [];
  if (!Array.isArray(listed)) return refuseOptions(wrongKind(listed, '[]common.Hash'));
  if (listed.length > maximum)
    return failed(
      serverError(
        `exceed max number of transaction hashes allowed per transactionReceipts subscription: limit ethReceiptHashes (${maximum})`,
      ),
    );
  const hashes = decodeEach(listed, (item: unknown) => hash.decode(item));
  return hashes.ok ? { ok: true, value: new Set(hashes.value.map(hex)) } : refuseOptions(hashes);
}

/** Extension of this node: `fromBlock` first sends past heads from a block on. */
function fromBlockOf(api: EthereumApi, options: unknown): Resolved<Height | undefined> {
  const value = isObject(options) ? (options['fromBlock'] ?? null) : null;
  if (value === null) return { ok: true, value: undefined };
  const ref = decodeBlockNumber(value);
  if (!ref.ok) return refuseOptions(ref);
  const range = filterRange(api, { from: ref.value, to: undefined });
  return range.ok
    ? { ok: true, value: range.value.fromBlock === undefined ? undefined : toHeight(range.value.fromBlock) }
    : range;
}

function refuseOptions({ message }: Refusal): FailedAnswer {
  return failed(invalidParams(`invalid argument 1: ${message}`));
}
