import type { EthereumBlock } from './block-view.js';

/** Number of transactions and logs of a block: a measure of its memory, and of the work to show it. */
export function itemsOf({ transactions }: Pick<EthereumBlock, 'transactions'>): number {
  return transactions.reduce((sum, { receipt }) => sum + 1 + receipt.logCount, 0);
}
