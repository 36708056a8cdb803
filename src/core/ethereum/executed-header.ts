/** Computes header fields during block execution, from transaction bytes and results. */
import type { Crypto } from '../ports/crypto.js';
import type { EthereumHeader } from './block-view.js';
import { responseOf, type TransactionResults } from './block-of.js';
import { bloomOfLogs, NO_BLOOM, unionOfBlooms } from './bloom.js';
import { orderedTrieRoot } from './ordered-trie.js';
import { encodeReceipt } from './receipt-encoding.js';
import { typeOf } from './transaction-codec.js';
import { unwrapTransaction } from './wrapped-transaction.js';

/**
 * Computes the header fields that depend on transactions; equal to those of the block view (`ethereumBlockOf`).
 * `txs`: all transactions of the CometBFT block, in order.
 */
export function executedPart(
  crypto: Pick<Crypto, 'keccak256'>,
  txs: readonly Uint8Array[],
  results: TransactionResults,
): Pick<EthereumHeader, 'gasUsed' | 'transactionsRoot' | 'receiptsRoot' | 'logsBloom'> {
  const raws: Uint8Array[] = [];
  const receipts: Uint8Array[] = [];
  const blooms: Uint8Array[] = [];
  let cumulativeGasUsed = 0n;
  for (const [index, tx] of txs.entries()) {
    const raw = unwrapTransaction(tx)?.raw;
    const response = raw === undefined ? undefined : responseOf(results, index);
    if (raw === undefined || response === undefined) continue;
    cumulativeGasUsed += response.gasUsed;
    const status = response.vmError === '' ? 'success' : 'failed';
    const logs = status === 'success' ? response.logs : [];
    const logsBloom = logs.length === 0 ? NO_BLOOM : bloomOfLogs(crypto, logs);
    if (logs.length > 0) blooms.push(logsBloom);
    raws.push(raw);
    receipts.push(encodeReceipt(typeOf(raw), { status, cumulativeGasUsed, logsBloom, logs }));
  }
  return {
    gasUsed: cumulativeGasUsed,
    transactionsRoot: orderedTrieRoot(crypto, raws),
    receiptsRoot: orderedTrieRoot(crypto, receipts),
    logsBloom: blooms.length === 0 ? NO_BLOOM : unionOfBlooms(blooms),
  };
}
