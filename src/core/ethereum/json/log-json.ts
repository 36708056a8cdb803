/** Log JSON of Ethereum JSON-RPC (execution-apis, schema `Log`). All functions of this folder return JSON text. */
import type { EthereumBlockTransaction, EthereumLog, LoggedBlock } from '../block-view.js';
import { hexData, hexQuantity } from '../../bytes/hex.js';
import { textOnce } from './text-once.js';

/** JSON of a log; `removed` is false, because only dev mode reverts blocks. */
export const logJson = textOnce(partsOfLog);

/** Parts of the text of `logJson`. They are not kept: very many texts in a `WeakMap` slow down garbage collection. */
export function partsOfLog(
  log: EthereumLog,
  transaction: EthereumBlockTransaction,
  block: LoggedBlock,
): readonly string[] {
  return [
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
  ];
}

/** JSON array of hex data strings. */
export function dataArray(items: readonly Uint8Array[]): string {
  return items.length === 0 ? '[]' : `["${items.map(hexData).join('","')}"]`;
}

/** JSON of a log whose block was reverted; `removed` is true. */
export function removedLogJson(log: EthereumLog, transaction: EthereumBlockTransaction, block: LoggedBlock): string {
  return logJson(log, transaction, block).replace(/"removed":false\}$/u, '"removed":true}');
}
