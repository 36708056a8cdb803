import type { EthereumBlock, EthereumBlockTransaction, EthereumLog } from './block-view.js';

/** A log of a block that was taken back. */
export interface RemovedLog {
  readonly log: EthereumLog;
  readonly transaction: EthereumBlockTransaction;
  readonly block: EthereumBlock;
}

/**
 * The logs of blocks that were taken back (newest first), the last log first, as geth announces them (v1.17 `reorg` in
 * `core/blockchain.go`).
 */
export function removedLogs(blocks: readonly EthereumBlock[]): readonly RemovedLog[] {
  return blocks.flatMap((block) =>
    block.transactions
      .flatMap((transaction) => transaction.receipt.logs.map((log) => ({ log, transaction, block })))
      .reverse(),
  );
}
