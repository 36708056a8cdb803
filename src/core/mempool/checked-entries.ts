import type { Checks } from './checks.js';
import type { PoolTransaction } from './pool-transaction.js';
import type { TransactionPool } from './transaction-pool.js';

/**
 * Transactions between the pool and the check state: a transaction that passes CheckTx becomes or stays pending, one
 * whose nonce is not due waits in the queue, and any other one is a dropped entry.
 */
export class CheckedEntries {
  readonly pool: TransactionPool;
  readonly checks: Checks;
  /** Left without a block since `takeDropped`. */
  #dropped: PoolTransaction[] = [];
  /** Hashes of transactions whose signatures must be checked again. */
  readonly #unverified = new Set<string>();

  constructor(pool: TransactionPool, checks: Checks) {
    this.pool = pool;
    this.checks = checks;
  }

  /** The signatures of a transaction that came in must be checked again. */
  verifyAgain(hash: string): void {
    this.#unverified.add(hash);
  }

  /** Checks a waiting transaction again; one that passes has its effects in the check state. */
  passes({ hash, tx }: PoolTransaction): boolean {
    const { checks } = this;
    const verified = this.#unverified.has(hash) ? undefined : 'signatures';
    const passed = checks.checkTx(tx, verified).code === 0;
    if (passed && verified === undefined) this.#unverified.delete(hash);
    return passed;
  }

  /** Transactions of an account that waited for its next nonce become pending, up to the first that does not pass. */
  promote(address: string): void {
    const { pool, checks } = this;
    for (const next of pool.ready(address, checks.nextNonce(address))) {
      if (!this.passes(next)) {
        this.drop(next);
        return;
      }
      pool.move(next.hash, 'pending');
    }
  }

  /** A pending transaction does not pass any more. */
  leavePending(transaction: PoolTransaction): void {
    const { pool, checks } = this;
    const sender = transaction.kind === 'ethereum' ? transaction.accounts[0] : undefined;
    // Its predecessor is gone: it waits again, as it would if it came now.
    if (sender !== undefined && sender.nonce > checks.nextNonce(sender.address)) pool.move(transaction.hash, 'queued');
    else this.drop(transaction);
  }

  /** Ethereum transactions of an account behind a nonce that no transaction uses wait for it. */
  queueBehindGap(address: string): void {
    const { pool, checks } = this;
    let next = checks.nextNonce(address);
    for (const { transaction } of pool.ofAccount(address)) {
      const nonce = transaction.accounts.find((account) => account.address === address)?.nonce;
      if (nonce === next) next += 1n;
      else if (nonce !== undefined && nonce > next && transaction.kind === 'ethereum')
        pool.move(transaction.hash, 'queued');
    }
  }

  /**
   * Transactions that wait for nonces before those of an SDK transaction are checked before it. It cannot wait: they
   * may be due already, and not be reached yet.
   */
  unqueueBefore({ accounts }: PoolTransaction): void {
    const { pool } = this;
    for (const { address, nonce } of accounts)
      for (const { place, transaction } of pool.ofAccount(address))
        if (place === 'queued' && transaction.accounts.some((one) => one.address === address && one.nonce < nonce))
          pool.move(transaction.hash, 'pending');
  }

  /** A transaction leaves without a block, or does not come in again; it may be sent again. */
  drop(transaction: PoolTransaction): void {
    this.remove(transaction.hash, 'invalid');
    this.#dropped.push(transaction);
  }

  /** Removes as `TransactionPool.remove` does. */
  remove(hash: string, reason: 'committed' | 'invalid'): void {
    this.pool.remove(hash, reason);
    this.#unverified.delete(hash);
  }

  /** Clears as `TransactionPool.clear` does. */
  clear(): void {
    this.pool.clear();
    this.#unverified.clear();
    this.#dropped = [];
  }

  /** The transactions that were dropped since the last call. */
  takeDropped(): readonly PoolTransaction[] {
    const dropped = this.#dropped;
    if (dropped.length > 0) this.#dropped = [];
    return dropped;
  }
}
