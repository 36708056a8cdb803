import type { EthereumBlock, EthereumBlockTransaction } from '../block-view.js';
import { hexData, hexQuantity } from '../../bytes/hex.js';
import { logJson } from './log-json.js';
import { textOnce } from './text-once.js';

/** JSON of a receipt (execution-apis, schema `ReceiptInfo`, which allows no extra fields). */
export const receiptJson = textOnce((transaction: EthereumBlockTransaction, block: EthereumBlock) => {
  const { logs, logsBloom } = transaction.receipt;
  const texts = logs.map((log) => logJson(log, transaction, block)).join(',');
  return [...beforeLogs(transaction, block), `[${texts}]`, ...afterLogs(transaction, `"${hexData(logsBloom)}"`)];
});

/** JSON of a receipt whose logs and bloom are null, as in the lists of Otterscan. */
export function shortReceiptJson(transaction: EthereumBlockTransaction, block: EthereumBlock): string {
  return [...beforeLogs(transaction, block), 'null', ...afterLogs(transaction, 'null')].join('');
}

/** `receiptJson` in parts; `logs` has the parts of the array of the logs. */
export function* receiptParts(
  transaction: EthereumBlockTransaction,
  block: EthereumBlock,
  logs: Iterable<string>,
): Generator<string> {
  yield beforeLogs(transaction, block).join('');
  yield* logs;
  yield afterLogs(transaction, `"${hexData(transaction.receipt.logsBloom)}"`).join('');
}

function beforeLogs(transaction: EthereumBlockTransaction, block: EthereumBlock): readonly string[] {
  const { receipt } = transaction;
  const { to } = transaction.transaction;
  return [
    '{"blockHash":"',
    hexData(block.hash),
    '","blockNumber":"',
    hexQuantity(block.height),
    '","transactionHash":"',
    hexData(transaction.hash),
    '","transactionIndex":"',
    hexQuantity(transaction.index),
    '","from":"',
    hexData(transaction.from),
    '","to":',
    to === undefined ? 'null' : `"${hexData(to)}"`,
    ',"gasUsed":"',
    hexQuantity(receipt.gasUsed),
    '","cumulativeGasUsed":"',
    hexQuantity(receipt.cumulativeGasUsed),
    '","contractAddress":',
    receipt.contractAddress === undefined ? 'null' : `"${hexData(receipt.contractAddress)}"`,
    ',"logs":',
  ];
}

/** `bloom` is JSON text. */
function afterLogs(transaction: EthereumBlockTransaction, bloom: string): readonly string[] {
  const { receipt } = transaction;
  return [
    ',"logsBloom":',
    bloom,
    ',"type":"',
    hexQuantity(transaction.transaction.type),
    '","effectiveGasPrice":"',
    hexQuantity(receipt.effectiveGasPrice),
    '","status":"',
    receipt.status === 'success' ? '0x1' : '0x0',
    '"}',
  ];
}
