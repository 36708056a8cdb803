/**
 * The waiting transactions (geth v1.17 `TxPoolAPI` in `internal/ethapi/api.go`): `pending` ones could be in the next
 * block, `queued` ones wait for an earlier nonce.
 */
import type { EthereumApi, EthereumPendingTransaction } from '../../../core/ethereum/api.js';
import { hexData, hexQuantity } from '../../../core/bytes/hex.js';
import { pendingTransactionJson } from '../../../core/ethereum/json/transaction-json.js';
import { feeCapOf } from '../../../core/ethereum/transaction-sender.js';
import { checksumAddress } from '../../../core/keys/address.js';
import { type Answer, type Method, type MethodContext, method, ok } from '../method.js';
import { address } from '../params/hex.js';

interface Pool {
  readonly pending: readonly EthereumPendingTransaction[];
  readonly queued: readonly EthereumPendingTransaction[];
}

/** The whole pool: users of a local node expect to see all of it. */
const all = (_values: readonly [], { api }: MethodContext): Answer => {
  const { pending, queued } = poolOf(api);
  return ok(`[${[...pending, ...queued].map(pendingTransactionJson).join(',')}]`);
};

export const txpoolMethods: readonly Method[] = [
  method('txpool_status', [], (_values, { api }) => {
    const { pending, queued } = poolOf(api);
    return ok(`{"pending":"${hexQuantity(pending.length)}","queued":"${hexQuantity(queued.length)}"}`);
  }),
  method('txpool_content', [], (_values, context) =>
    ok(both(poolOf(context.api), (part) => bySender(part, context, pendingTransactionJson))),
  ),
  method('txpool_inspect', [], (_values, context) =>
    ok(both(poolOf(context.api), (part) => bySender(part, context, summary))),
  ),
  method('eth_pendingTransactions', [], all),
  method('eth_getPendingTransactions', [], all),
  method('txpool_contentFrom', [address], ([sender], { api }) => {
    const wanted = hexData(sender);
    return ok(
      both(poolOf(api), (part) =>
        byNonce(
          part.filter(({ from }) => hexData(from) === wanted),
          pendingTransactionJson,
        ),
      ),
    );
  }),
];

function poolOf(api: EthereumApi): Pool {
  return { pending: api.pendingTransactions('pending'), queued: api.pendingTransactions('queued') };
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

type Show = (transaction: EthereumPendingTransaction) => string;

function both({ pending, queued }: Pool, show: (part: readonly EthereumPendingTransaction[]) => string): string {
  return `{"pending":${show(pending)},"queued":${show(queued)}}`;
}

/** Keys are checksummed addresses, as geth's. */
function bySender(part: readonly EthereumPendingTransaction[], { crypto }: MethodContext, show: Show): string {
  const members = [...groups(part).values()].map(
    (own) => `"${checksumAddress(crypto, own[0]?.from ?? new Uint8Array(20))}":${byNonce(own, show)}`,
  );
  return `{${members.join(',')}}`;
}

function byNonce(own: readonly EthereumPendingTransaction[], show: Show): string {
  return `{${own.map((transaction) => `"${transaction.transaction.nonce}":${show(transaction)}`).join(',')}}`;
}

function summary({ transaction }: EthereumPendingTransaction): string {
  const to = transaction.to === undefined ? 'contract creation' : hexData(transaction.to);
  return JSON.stringify(`${to}: ${transaction.value} wei + ${transaction.gasLimit} gas × ${feeCapOf(transaction)} wei`);
}
