/**
 * Pool methods (geth v1.17 `TxPoolAPI` in `internal/ethapi/api.go`): `pending` transactions can be in the next block,
 * `queued` ones wait for a lower nonce.
 */
import type { EthereumApi, EthereumPendingTransaction } from '../../../core/ethereum/api.js';
import { hexData, hexQuantity } from '../../../core/bytes/hex.js';
import { pendingTransactionJson } from '../../../core/ethereum/json/transaction-json.js';
import { feeCapOf } from '../../../core/ethereum/transaction-sender.js';
import { checksumAddress } from '../../../core/keys/address.js';
import { assembled } from '../assembled.js';
import { responseTooLarge } from '../errors.js';
import { type Answer, type Method, type MethodContext, type Streamed, method, ok } from '../method.js';
import { address } from '../params/hex.js';
import * as result from '../results.js';
import * as schema from '../schema.js';

interface Pool {
  readonly pending: readonly EthereumPendingTransaction[];
  readonly queued: readonly EthereumPendingTransaction[];
}

type Show = (transaction: EthereumPendingTransaction) => string;
type Hashes = Pick<MethodContext['crypto'], 'keccak256'>;

/** Answers all transactions of the pool, because users of a local node expect that. */
const all = (_values: readonly [], context: MethodContext): Promise<Answer | Streamed> => {
  const { pending, queued } = poolOf(context.api);
  return limited(listed([...pending, ...queued], pendingTransactionJson), context);
};

export const txpoolMethods: readonly Method[] = [
  method('txpool_status', 'Numbers of waiting transactions', [], result.POOL_STATUS, (_values, { api }) => {
    const { pending, queued } = poolOf(api);
    return ok(`{"pending":"${hexQuantity(pending.length)}","queued":"${hexQuantity(queued.length)}"}`);
  }),
  method('txpool_content', 'Waiting transactions by sender and nonce', [], result.POOL, (_values, context) =>
    limited(
      both(poolOf(context.api), (part) => bySender(part, context, pendingTransactionJson)),
      context,
    ),
  ),
  method(
    'txpool_inspect',
    'Waiting transactions by sender and nonce, a line each',
    [],
    schema.ANYTHING,
    (_values, context) =>
      limited(
        both(poolOf(context.api), (part) => bySender(part, context, (one) => summary(one, context.crypto))),
        context,
      ),
  ),
  method('eth_pendingTransactions', 'All waiting transactions', [], schema.listOf(result.TRANSACTION), all),
  method('eth_getPendingTransactions', 'All waiting transactions', [], schema.listOf(result.TRANSACTION), all),
  method(
    'txpool_contentFrom',
    'Waiting transactions of a sender by nonce',
    [address],
    result.POOL_OF_SENDER,
    ([sender], context) => {
      const shownSender = hexData(sender);
      return limited(
        both(poolOf(context.api), (part) =>
          byNonce(
            part.filter(({ from }) => hexData(from) === shownSender),
            pendingTransactionJson,
          ),
        ),
        context,
      );
    },
  ),
];

/** Assembles an answer; one that is not streamed is limited. */
function limited(parts: Iterable<string>, context: MethodContext): Promise<Answer | Streamed> {
  const { ethPoolBytes } = context.limits;
  return assembled(parts, context, (length) =>
    length > ethPoolBytes ? responseTooLarge(`limit ethPoolBytes (${ethPoolBytes}) exceeded`) : undefined,
  );
}

function poolOf(api: EthereumApi): Pool {
  return { pending: api.pendingTransactions('pending'), queued: api.pendingTransactions('queued') };
}

function* listed(transactions: readonly EthereumPendingTransaction[], show: Show): Generator<string> {
  yield '[';
  for (const [index, transaction] of transactions.entries()) yield `${index === 0 ? '' : ','}${show(transaction)}`;
  yield ']';
}

function* both(
  { pending, queued }: Pool,
  show: (part: readonly EthereumPendingTransaction[]) => Iterable<string>,
): Generator<string> {
  yield '{"pending":';
  yield* show(pending);
  yield ',"queued":';
  yield* show(queued);
  yield '}';
}

function groups(
  transactions: readonly EthereumPendingTransaction[],
): ReadonlyMap<string, EthereumPendingTransaction[]> {
  const bySender = new Map<string, EthereumPendingTransaction[]>();
  for (const transaction of transactions) {
    const sender = hexData(transaction.from);
    const own = bySender.get(sender);
    if (own === undefined) bySender.set(sender, [transaction]);
    else own.push(transaction);
  }
  return bySender;
}

/** Yields an object keyed by checksummed addresses, as in geth. */
function* bySender(
  part: readonly EthereumPendingTransaction[],
  { crypto }: MethodContext,
  show: Show,
): Generator<string> {
  let mark = '{';
  for (const own of groups(part).values()) {
    yield `${mark}"${checksumAddress(crypto, own[0]?.from ?? new Uint8Array(20))}":`;
    yield* byNonce(own, show);
    mark = ',';
  }
  yield mark === '{' ? '{}' : '}';
}

function* byNonce(own: readonly EthereumPendingTransaction[], show: Show): Generator<string> {
  let mark = '{';
  for (const transaction of own) {
    yield `${mark}"${transaction.transaction.nonce}":${show(transaction)}`;
    mark = ',';
  }
  yield mark === '{' ? '{}' : '}';
}

function summary({ transaction }: EthereumPendingTransaction, crypto: Hashes): string {
  const to = transaction.to === undefined ? 'contract creation' : checksumAddress(crypto, transaction.to);
  return JSON.stringify(`${to}: ${transaction.value} wei + ${transaction.gasLimit} gas × ${feeCapOf(transaction)} wei`);
}
