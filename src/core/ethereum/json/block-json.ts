import type { EthereumBlock, EthereumBlockTransaction } from '../block-view.js';
import { hexData, hexQuantity } from '../../bytes/hex.js';
import { dataArray } from './log-json.js';
import { transactionJson } from './transaction-json.js';

/** keccak256 of the RLP of an empty list: there are no uncles. */
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
/** Root of an empty trie: there are no withdrawals. */
const NO_WITHDRAWALS = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
/** sha256 of no bytes: there are no requests (EIP-7685). */
const NO_REQUESTS = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const ZERO_HASH = `0x${'0'.repeat(64)}`;

/**
 * Header: the same object in `newHeads` and `eth_getHeaderBy*` (geth v1.17 `RPCMarshalHeader` in
 * `internal/ethapi/api.go`).
 */
export function headerJson(block: EthereumBlock): string {
  return `{${headerFields(block)}}`;
}

/**
 * Block with the hashes of its transactions, or with the transactions themselves (geth v1.17 `RPCMarshalBlock` in
 * `internal/ethapi/api.go`).
 */
export function blockJson(block: EthereumBlock, full: boolean): string {
  const transactions = full
    ? `[${block.transactions.map((transaction) => transactionJson(transaction, block)).join(',')}]`
    : dataArray(block.transactions.map(({ hash }) => hash));
  return `{${headerFields(block)},"transactions":${transactions},"uncles":[],"withdrawals":[]}`;
}

/** Block with whole transactions, each with further members: `,"name":value` for each. */
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
  const baseFee = block.baseFeePerGas === undefined ? '' : `,"baseFeePerGas":"${hexQuantity(block.baseFeePerGas)}"`;
  return (
    `"number":"${hexQuantity(block.height)}","hash":"${hexData(block.hash)}","parentHash":"${hexData(block.parentHash)}"` +
    `,"timestamp":"${hexQuantity(block.timestamp)}","miner":"${hexData(block.miner)}"` +
    `,"gasLimit":"${hexQuantity(block.gasLimit)}","gasUsed":"${hexQuantity(block.gasUsed)}"${baseFee}` +
    `,"stateRoot":"${hexData(block.stateRoot)}","transactionsRoot":"${hexData(block.transactionsRoot)}"` +
    `,"receiptsRoot":"${hexData(block.receiptsRoot)}","logsBloom":"${hexData(block.logsBloom)}","size":"${hexQuantity(block.size)}"` +
    `,"sha3Uncles":"${NO_UNCLES}","mixHash":"${hexData(block.mixHash)}","nonce":"0x0000000000000000","extraData":"0x"` +
    `,"difficulty":"0x0","totalDifficulty":"0x0","withdrawalsRoot":"${NO_WITHDRAWALS}"` +
    `,"blobGasUsed":"0x0","excessBlobGas":"0x0","parentBeaconBlockRoot":"${ZERO_HASH}","requestsHash":"${NO_REQUESTS}"`
  );
}
