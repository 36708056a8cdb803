/**
 * The waiting transactions (geth v1.17 `TxPoolAPI` in `internal/ethapi/api.go`): `pending` ones could be in the next
 * block, `queued` ones wait for an earlier nonce.
 */
import type { EthereumApi, EthereumPendingTransaction } from '../../../core/ethereum/api.js';
import { hexData, hexQuantity } from '../../../core/bytes/hex.js';
import { pendingTransactionJson } from '../../../core/ethereum/json/transaction-json.js';
import { feeCapOf } from '../../../core/ethereum/transaction-sender.js';
import { checksumAddress } from '../../../core/keys/address.js';
import { FIXED_LIMITS } from '../../../core/limits.js';
import { responseTooLarge } from '../errors.js';
import { type Answer, type Method, type MethodContext, failed, method, ok } from '../method.js';
import { address } from '../params/hex.js';

interface Pool {
  readonly pending: readonly EthereumPendingTransaction[];
  readonly queued: readonly EthereumPendingTransaction[];
}

type Show = (transaction: EthereumPendingTransaction) => string;
type Hashes = Pick<MethodContext['crypto'], 'keccak256'>;

/** The whole pool: users of a local node expect to see all of it. */
const all = (_values: readonly [], context: MethodContext): Promise<Answer> => {
  const { pending, queued } = poolOf(context.api);
  return assembled(listed([...pending, ...queued], pendingTransactionJson), context);
};

export const txpoolMethods: readonly Method[] = [
  method('txpool_status', [], (_values, { api }) => {
    const { pending, queued } = poolOf(api);
    return ok(`{"pending":"${hexQuantity(pending.length)}","queued":"${hexQuantity(queued.length)}"}`);
  }),
  method('txpool_content', [], (_values, context) =>
    assembled(
      both(poolOf(context.api), (part) => bySender(part, context, pendingTransactionJson)),
      context,
    ),
  ),
  method('txpool_inspect', [], (_values, context) =>
    assembled(
      both(poolOf(context.api), (part) => bySender(part, context, (one) => summary(one, context.crypto))),
      context,
    ),
  ),
  method('eth_pendingTransactions', [], all),
  method('eth_getPendingTransactions', [], all),
  method('txpool_contentFrom', [address], ([sender], context) => {
    const wanted = hexData(sender);
    return assembled(
      both(poolOf(context.api), (part) =>
        byNonce(
          part.filter(({ from }) => hexData(from) === wanted),
          pendingTransactionJson,
        ),
      ),
      context,
    );
  }),
];

/** Joins the parts of an answer as they are made, and gives the event loop its turn in between. */
async function assembled(parts: Iterable<string>, { timers, limits }: MethodContext): Promise<Answer> {
  let text = '';
  let next: number = FIXED_LIMITS.ethPoolBytesPerTurn;
  for (const part of parts) {
    text += part;
    if (text.length > limits.ethPoolBytes)
      return failed(responseTooLarge(`limit ethPoolBytes (${limits.ethPoolBytes}) exceeded`));
    if (text.length < next) continue;
    next = text.length + FIXED_LIMITS.ethPoolBytesPerTurn;
    await timers.yield();
  }
  return ok(text);
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

/** Keys are checksummed addresses, as geth's. */
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
