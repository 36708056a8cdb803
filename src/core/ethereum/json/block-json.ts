import type { EthereumBlock, EthereumBlockTransaction } from '../block-view.js';
import { hexData, hexQuantity } from '../../bytes/hex.js';
import { NO_REQUESTS, NO_UNCLES, NO_WITHDRAWALS } from '../header-encoding.js';
import { dataArray } from './log-json.js';
import { concatTexts } from './concat-texts.js';
import { transactionJson } from './transaction-json.js';

/** `extraData` of a block without any. */
const NO_EXTRA_DATA = new Uint8Array();
const UNCLES = hexData(NO_UNCLES);
const WITHDRAWALS = hexData(NO_WITHDRAWALS);
const REQUESTS = hexData(NO_REQUESTS);
const NONCE = '0x0000000000000000';
const ZERO_HASH = `0x${'0'.repeat(64)}`;

/**
 * Header JSON, identical in `newHeads` and `eth_getHeaderBy*`; a pending block lacks hash, miner and nonce (geth
 * v1.17 `RPCMarshalHeader` in `internal/ethapi/api.go`).
 */
export function headerJson(block: EthereumBlock): string {
  return `{${headerFields(block)}}`;
}

/**
 * Block JSON with transaction hashes, or with full transactions (geth v1.17 `RPCMarshalBlock` in
 * `internal/ethapi/api.go`).
 */
export function blockJson(block: EthereumBlock, full: boolean): string {
  const transactions = full
    ? `[${concatTexts(block.transactions, (transaction) => transactionJson(transaction, block))}]`
    : dataArray(block.transactions.map(({ hash }) => hash));
  return `{${headerFields(block)},"transactions":${transactions},"uncles":[],"withdrawals":${withdrawalsJson(block)}}`;
}

/** Block JSON with full transactions, each with extra fields: JSON text of the form `,"name":value`. */
export function blockJsonWith(
  block: EthereumBlock,
  further: (transaction: EthereumBlockTransaction) => string,
): string {
  const transactions = block.transactions.map(
    (transaction) => `${transactionJson(transaction, block).slice(0, -1)}${further(transaction)}}`,
  );
  return `{${headerFields(block)},"transactions":[${transactions.join(',')}],"uncles":[],"withdrawals":[]}`;
}

function headerFields(block: EthereumBlock): string {
  const { simulated } = block;
  const decided = (value: string): string => (block.isPending === true ? 'null' : `"${value}"`);
  const baseFee = block.baseFeePerGas === undefined ? '' : `,"baseFeePerGas":"${hexQuantity(block.baseFeePerGas)}"`;
  return (
    `"number":"${hexQuantity(block.height)}","hash":${decided(hexData(block.hash))},"parentHash":"${hexData(block.parentHash)}"` +
    `,"timestamp":"${hexQuantity(block.timestamp)}","miner":${decided(hexData(block.miner))}` +
    `,"gasLimit":"${hexQuantity(block.gasLimit)}","gasUsed":"${hexQuantity(block.gasUsed)}"${baseFee}` +
    `,"stateRoot":"${hexData(block.stateRoot)}","transactionsRoot":"${hexData(block.transactionsRoot)}"` +
    `,"receiptsRoot":"${hexData(block.receiptsRoot)}","logsBloom":"${hexData(block.logsBloom)}","size":"${hexQuantity(block.size)}"` +
    `,"sha3Uncles":"${UNCLES}","mixHash":"${hexData(block.mixHash)}","nonce":${decided(NONCE)},"extraData":"${hexData(block.extraData ?? NO_EXTRA_DATA)}"` +
    `,"difficulty":"0x0","totalDifficulty":"0x0","withdrawalsRoot":"${simulated === undefined ? WITHDRAWALS : hexData(simulated.withdrawalsRoot)}"` +
    `,"blobGasUsed":"${hexQuantity(simulated?.blobGasUsed ?? 0n)}","excessBlobGas":"0x0","parentBeaconBlockRoot":"${simulated === undefined ? ZERO_HASH : hexData(simulated.beaconRoot)}","requestsHash":"${REQUESTS}"`
  );
}

function withdrawalsJson({ simulated }: EthereumBlock): string {
  if (simulated === undefined) return '[]';
  const items = simulated.withdrawals.map(
    ({ index, validatorIndex, address, amount }) =>
      `{"index":"${hexQuantity(index)}","validatorIndex":"${hexQuantity(validatorIndex)}","address":"${hexData(address)}","amount":"${hexQuantity(amount)}"}`,
  );
  return `[${items.join(',')}]`;
}
