import type { EthereumBlock, EthereumBlockTransaction } from '../block-view.js';
import { hexData, hexQuantity } from '../../bytes/hex.js';
import { logJson } from './log-json.js';
import { textOnce } from './text-once.js';

/** JSON of a receipt (execution-apis, schema `ReceiptInfo`, which allows no extra fields). */
export const receiptJson = textOnce((transaction: EthereumBlockTransaction, block: EthereumBlock) => {
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
    ',"logs":[',
    receipt.logs.map((log) => logJson(log, transaction, block)).join(','),
    '],"logsBloom":"',
    hexData(receipt.logsBloom),
    '","type":"',
    hexQuantity(transaction.transaction.type),
    '","effectiveGasPrice":"',
    hexQuantity(receipt.effectiveGasPrice),
    '","status":"',
    receipt.status === 'success' ? '0x1' : '0x0',
    '"}',
  ];
});
