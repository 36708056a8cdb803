import type { ProposedTransaction } from '../application.js';
import type { PoolTransaction } from '../mempool/pool-transaction.js';

/** Transactions of the pool, all of which passed CheckTx here; their accounts are numbered as they come. */
export function proposedTransactions(chosen: readonly PoolTransaction[]): readonly ProposedTransaction[] {
  const numbers = new Map<string, number>();
  const numberOf = (address: string): number => {
    const number = numbers.get(address) ?? numbers.size;
    numbers.set(address, number);
    return number;
  };
  return chosen.map(({ tx, gasWanted, accounts }) => ({
    tx,
    gasLimit: gasWanted,
    verified: true,
    accounts: accounts.map(({ address }) => numberOf(address)),
  }));
}
