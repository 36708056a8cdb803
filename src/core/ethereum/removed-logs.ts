import type { EthereumBlockTransaction, EthereumLog, LoggedBlock } from './block-view.js';

/** A log of a reverted block. */
export interface RemovedLog {
  readonly log: EthereumLog;
  readonly transaction: EthereumBlockTransaction;
  readonly block: LoggedBlock;
}

/**
 * Logs of reverted blocks (newest first), last log first, in the order in which geth announces them (v1.17 `reorg` in
 * `core/blockchain.go`).
 */
export function removedLogs(blocks: readonly LoggedBlock[]): readonly RemovedLog[] {
  return blocks.flatMap((block) =>
    block.transactions
      .flatMap((transaction) => transaction.receipt.logs.map((log) => ({ log, transaction, block })))
      .reverse(),
  );
}
