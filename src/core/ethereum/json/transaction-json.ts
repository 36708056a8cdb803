import type { EvmAccessListItem } from '../../evm/transaction.js';
import type { EthereumPendingTransaction } from '../api.js';
import type { EthereumBlock, EthereumBlockTransaction } from '../block-view.js';
import { hexData, hexQuantity } from '../../bytes/hex.js';
import type { EthereumTransaction, SignedAuthorization } from '../transaction.js';
import type { UnsignedTransaction } from '../unsigned.js';
import { dataArray } from './log-json.js';
import { textOnce } from './text-once.js';

/** JSON of a transaction in a block (execution-apis, schema `TransactionInfo`); `gasPrice` is the effective price. */
export const transactionJson = textOnce((transaction: EthereumBlockTransaction, block: EthereumBlock) => [
  '{"blockHash":"',
  hexData(block.hash),
  '","blockNumber":"',
  hexQuantity(block.height),
  '","blockTimestamp":"',
  hexQuantity(block.timestamp),
  '","transactionIndex":"',
  hexQuantity(transaction.index),
  '","hash":"',
  hexData(transaction.hash),
  '","from":"',
  hexData(transaction.from),
  '",',
  signedFields(transaction.transaction, transaction.receipt.effectiveGasPrice),
  '}',
]);

/** JSON of a pending transaction: block fields are null, and `gasPrice` is the fee cap. */
export function pendingTransactionJson({ hash, from, transaction }: EthereumPendingTransaction): string {
  return (
    '{"blockHash":null,"blockNumber":null,"blockTimestamp":null,"transactionIndex":null' +
    `,"hash":"${hexData(hash)}","from":"${hexData(from)}",${signedFields(transaction, highestPrice(transaction))}}`
  );
}

/**
 * JSON of an unsigned transaction; `gasPrice` is the fee cap. Typed clients (alloy) read it like any transaction, so
 * it has a hash of its bytes, and v, r and s, which are zero (geth v1.17 `types.Transaction.MarshalJSON`, anvil 1.7).
 */
export function unsignedTransactionJson(transaction: UnsignedTransaction, hash: Uint8Array): string {
  const chainId = transaction.chainId === undefined ? '' : `,"chainId":"${hexQuantity(transaction.chainId)}"`;
  const yParity = transaction.type === 0 ? '' : ',"yParity":"0x0"';
  return (
    `{${commonFields(transaction, highestPrice(transaction))}${chainId}` +
    `,"v":"0x0","r":"0x0","s":"0x0"${yParity},"hash":"${hexData(hash)}"}`
  );
}

function signedFields(transaction: EthereumTransaction, gasPrice: bigint): string {
  return `${commonFields(transaction, gasPrice)},${signatureFields(transaction)}`;
}

function highestPrice(transaction: UnsignedTransaction): bigint {
  return 'gasPrice' in transaction ? transaction.gasPrice : transaction.maxFeePerGas;
}

function commonFields(transaction: UnsignedTransaction, gasPrice: bigint): string {
  const { to } = transaction;
  return (
    `"type":"${hexQuantity(transaction.type)}","nonce":"${hexQuantity(transaction.nonce)}","gas":"${hexQuantity(transaction.gasLimit)}"` +
    `,"gasPrice":"${hexQuantity(gasPrice)}"${typedFields(transaction)}` +
    `,"to":${to === undefined ? 'null' : `"${hexData(to)}"`},"value":"${hexQuantity(transaction.value)}","input":"${hexData(transaction.data)}"`
  );
}

/** JSON fields that legacy transactions lack. */
function typedFields(transaction: UnsignedTransaction): string {
  switch (transaction.type) {
    case 0:
      return '';
    case 1:
      return `,"accessList":${accessListJson(transaction.accessList)}`;
    case 2:
      return `${feeFields(transaction)},"accessList":${accessListJson(transaction.accessList)}`;
    case 3:
      return `${feeFields(transaction)},"accessList":${accessListJson(transaction.accessList)},"maxFeePerBlobGas":"${hexQuantity(transaction.blobs.maxFeePerBlobGas)}","blobVersionedHashes":${dataArray(transaction.blobs.hashes)}`;
    case 4:
      return `${feeFields(transaction)},"accessList":${accessListJson(transaction.accessList)},"authorizationList":[${transaction.authorizations.map(authorizationJson).join(',')}]`;
  }
}

function feeFields({
  maxFeePerGas,
  maxPriorityFeePerGas,
}: {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}): string {
  return `,"maxFeePerGas":"${hexQuantity(maxFeePerGas)}","maxPriorityFeePerGas":"${hexQuantity(maxPriorityFeePerGas)}"`;
}

/**
 * JSON fields of the signature: legacy signatures contain the chain id in `v` (EIP-155); typed ones have `v` and
 * `yParity` with equal values.
 */
function signatureFields(transaction: EthereumTransaction): string {
  const { r, s, yParity } = transaction;
  const rs = `"r":"${hexQuantity(r)}","s":"${hexQuantity(s)}"`;
  if (transaction.type !== 0)
    return `"chainId":"${hexQuantity(transaction.chainId)}","v":"${hexQuantity(yParity)}",${rs},"yParity":"${hexQuantity(yParity)}"`;
  const { chainId } = transaction;
  if (chainId === undefined) return `"v":"${hexQuantity(27 + yParity)}",${rs}`;
  return `"chainId":"${hexQuantity(chainId)}","v":"${hexQuantity(chainId * 2n + 35n + BigInt(yParity))}",${rs}`;
}

function accessListJson(items: readonly EvmAccessListItem[]): string {
  return `[${items.map(({ address, storageKeys }) => `{"address":"${hexData(address)}","storageKeys":${dataArray(storageKeys)}}`).join(',')}]`;
}

function authorizationJson({ chainId, address, nonce, yParity, r, s }: SignedAuthorization): string {
  return (
    `{"chainId":"${hexQuantity(chainId)}","address":"${hexData(address)}","nonce":"${hexQuantity(nonce)}"` +
    `,"yParity":"${hexQuantity(yParity)}","r":"${hexQuantity(r)}","s":"${hexQuantity(s)}"}`
  );
}
