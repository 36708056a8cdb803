/**
 * Encodes `eth_subscription` notifications as geth does
 * (https://geth.ethereum.org/docs/interacting-with-geth/rpc/pubsub).
 */
import { hexData } from '../../../core/bytes/hex.js';
import { invariant } from '../../../core/errors.js';
import { headerJson } from '../../../core/ethereum/json/block-json.js';
import { logJson, removedLogJson } from '../../../core/ethereum/json/log-json.js';
import { receiptJson } from '../../../core/ethereum/json/receipt-json.js';
import { pendingTransactionJson } from '../../../core/ethereum/json/transaction-json.js';
import type { PushItem } from '../../../core/subscriptions/index.js';
import type { PushEncoding } from '../../push/index.js';

/** Forms of a pending transaction: only its hash, or the full transaction. */
const HASH = 0;
const WHOLE = 1;

/** The encoding; `params.cursor` is an extension, sent only on request. */
export const ETHEREUM_ENCODING: PushEncoding = {
  face: 'ethereum',
  formOf: (criteria) => (criteria.kind === 'newPendingTransactions' && criteria.fullTransactions ? WHOLE : HASH),
  body: (item, form, cursor) => bodyOf(resultJson(item, form), cursor),
};

/** The first part of a notification, which depends on the subscription. */
export function prefixOf(id: string): string {
  return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}`;
}

/** The second part of a notification, shared by all subscribers; `result` is JSON text. */
export function bodyOf(result: string, cursor: string | undefined): string {
  return `","result":${result}${cursor === undefined ? '' : `,"cursor":"${cursor}"`}}}`;
}

function resultJson(item: PushItem, form: number): string {
  invariant(item.kind !== 'event', 'events are of the consensus face');
  switch (item.kind) {
    case 'head':
      return headerJson(item.block);
    case 'log':
      return (item.isRemoved === true ? removedLogJson : logJson)(item.log, item.transaction, item.block);
    case 'receipts':
      return `[${item.transactions.map((transaction) => receiptJson(transaction, item.block)).join(',')}]`;
    case 'pending':
      return form === WHOLE ? pendingTransactionJson(item.transaction) : `"${hexData(item.transaction.hash)}"`;
  }
}
