/** Methods for transactions and receipts by hash and by index. A hash may be the Ethereum or the consensus hash. */
import type { EthereumBlock, EthereumBlockTransaction } from '../../../core/ethereum/block-view.js';
import { equal } from '../../../core/bytes/bytes.js';
import { hexData } from '../../../core/bytes/hex.js';
import { receiptJson } from '../../../core/ethereum/json/receipt-json.js';
import { pendingTransactionJson, transactionJson } from '../../../core/ethereum/json/transaction-json.js';
import { logJson } from '../../../core/ethereum/json/log-json.js';
import { encodeTransaction } from '../../../core/ethereum/transaction-codec.js';
import { minedWithNonce } from '../account-history.js';
import { assembledLogs } from '../assembled.js';
import { manyLogs, partsOfLogs, partsOfReceipt } from '../block-logs.js';
import {
  type Answer,
  type Method,
  type MethodContext,
  type Streamed,
  NULL,
  failed,
  method,
  ok,
  quoted,
} from '../method.js';
import type { BlockRef } from '../params/block-ref.js';
import { address, hash, index } from '../params/hex.js';
import { looseQuantity } from '../params/numbers.js';
import { resolveBlock } from '../resolve.js';
import * as result from '../results.js';
import * as schema from '../schema.js';
import { byBlock } from './by-block.js';

function at(
  { api }: MethodContext,
  ref: BlockRef,
  place: bigint,
  absent: Answer,
  show: (transaction: EthereumBlockTransaction, block: EthereumBlock) => string,
): Answer {
  const block = resolveBlock(api, ref);
  if (!block.ok) return failed(block.error);
  const transaction = block.value?.transactions[Number(place)];
  return block.value === undefined || transaction === undefined ? absent : ok(show(transaction, block.value));
}

/** Answers what `show` returns; if there are many logs, what `parts` returns, in slices. */
function withLogs(
  context: MethodContext,
  value: Uint8Array,
  show: (transaction: EthereumBlockTransaction, block: EthereumBlock) => string,
  parts: (transaction: EthereumBlockTransaction, block: EthereumBlock) => Iterable<string>,
): Answer | Promise<Answer | Streamed> {
  const mined = context.api.transaction(value);
  if (mined === undefined) return NULL;
  const { transaction, block } = mined;
  const decoding = manyLogs([transaction], context.timers);
  return (
    decoding?.then(() => assembledLogs(transaction.receipt.logCount, parts(transaction, block), context)) ??
    ok(show(transaction, block))
  );
}

const logsOf = (transaction: EthereumBlockTransaction, block: EthereumBlock): string =>
  `[${transaction.receipt.logs.map((log) => logJson(log, transaction, block)).join(',')}]`;
const rawOf = ({ raw }: EthereumBlockTransaction): string => `"${hexData(raw)}"`;
/** geth answers `0x` for an unknown transaction. */
const NO_BYTES = quoted('0x');

export const transactionMethods: readonly Method[] = [
  method(
    'eth_getTransactionBySenderAndNonce',
    'Transaction of a sender with a nonce',
    [address, looseQuantity],
    schema.orNull(result.TRANSACTION),
    ([sender, nonce], { api }) => {
      const waiting = (['pending', 'queued'] as const)
        .flatMap((place) => api.pendingTransactions(place))
        .find((one) => one.transaction.nonce === nonce && equal(one.from, sender));
      if (waiting !== undefined) return ok(pendingTransactionJson(waiting));
      const mined = minedWithNonce(api, sender, nonce);
      if (!mined.ok) return failed(mined.error);
      return mined.value === undefined ? NULL : ok(transactionJson(mined.value.transaction, mined.value.block));
    },
  ),
  method(
    'eth_getTransactionByHash',
    'Transaction by hash',
    [hash],
    schema.orNull(result.TRANSACTION),
    ([value], { api }) => {
      const mined = api.transaction(value);
      if (mined !== undefined) return ok(transactionJson(mined.transaction, mined.block));
      const pending = api.pending(value);
      return pending === undefined ? NULL : ok(pendingTransactionJson(pending));
    },
  ),
  ...byBlock(
    ['eth_getTransactionByBlockNumberAndIndex', 'eth_getTransactionByBlockHashAndIndex'],
    ['Transaction by the number of its block and its index', 'Transaction by the hash of its block and its index'],
    [index],
    schema.orNull(result.TRANSACTION),
    ([ref, place], context) => at(context, ref, place, NULL, transactionJson),
  ),
  method(
    'eth_getRawTransactionByHash',
    'Encoding of a transaction by hash; empty for an unknown one',
    [hash],
    schema.DATA,
    ([value], { api }) => {
      const mined = api.transaction(value);
      if (mined !== undefined) return ok(rawOf(mined.transaction));
      const pending = api.pending(value);
      return pending === undefined ? NO_BYTES : quoted(hexData(encodeTransaction(pending.transaction)));
    },
  ),
  ...byBlock(
    ['eth_getRawTransactionByBlockNumberAndIndex', 'eth_getRawTransactionByBlockHashAndIndex'],
    [
      'Encoding of a transaction by the number of its block and its index',
      'Encoding of a transaction by the hash of its block and its index',
    ],
    [index],
    schema.DATA,
    ([ref, place], context) => at(context, ref, place, NO_BYTES, rawOf),
  ),
  method(
    'eth_getTransactionReceipt',
    'Receipt of a transaction',
    [hash],
    schema.orNull(result.RECEIPT),
    ([value], context) => withLogs(context, value, receiptJson, partsOfReceipt),
  ),
  method(
    'eth_getTransactionLogs',
    'Logs of a transaction',
    [hash],
    schema.orNull(schema.listOf(result.LOG)),
    ([value], context) => withLogs(context, value, logsOf, partsOfLogs),
  ),
];
