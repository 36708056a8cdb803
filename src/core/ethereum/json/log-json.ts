/**
 * Logs in the JSON of the Ethereum face (execution-apis, schema `Log`). All functions of this folder return JSON text.
 */
import type { EthereumBlockTransaction, EthereumLog, LoggedBlock } from '../block-view.js';
import { hexData, hexQuantity } from '../../bytes/hex.js';
import { textOnce } from './text-once.js';

/** `removed` is false: only dev mode takes blocks back. */
export const logJson = textOnce((log: EthereumLog, transaction: EthereumBlockTransaction, block: LoggedBlock) => [
  '{"address":"',
  hexData(log.address),
  '","topics":',
  dataArray(log.topics),
  ',"data":"',
  hexData(log.data),
  '","blockNumber":"',
  hexQuantity(block.height),
  '","transactionHash":"',
  hexData(transaction.hash),
  '","transactionIndex":"',
  hexQuantity(transaction.index),
  '","blockHash":"',
  hexData(block.hash),
  '","blockTimestamp":"',
  hexQuantity(block.timestamp),
  '","logIndex":"',
  hexQuantity(log.logIndex),
  '","removed":false}',
]);

/** An array of data strings. */
export function dataArray(items: readonly Uint8Array[]): string {
  return items.length === 0 ? '[]' : `["${items.map(hexData).join('","')}"]`;
}

/** The JSON of a log whose block was reverted. */
export function removedLogJson(log: EthereumLog, transaction: EthereumBlockTransaction, block: LoggedBlock): string {
  return logJson(log, transaction, block).replace(/"removed":false\}$/u, '"removed":true}');
}
