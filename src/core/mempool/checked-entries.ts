import type { Checks } from './checks.js';
import type { PoolTransaction } from './pool-transaction.js';
import type { TransactionPool } from './transaction-pool.js';

/**
 * Moves transactions between places according to CheckTx: one that passes becomes or stays pending, one whose nonce is
 * not due is queued, and any other is dropped.
 */
export class CheckedEntries {
  readonly pool: TransactionPool;
  readonly checks: Checks;
  /** Transactions dropped since the last `takeDropped`. */
  #dropped: PoolTransaction[] = [];
  /** Hashes of transactions whose signatures must be verified again. */
  readonly #unverified = new Set<string>();

  constructor(pool: TransactionPool, checks: Checks) {
    this.pool = pool;
    this.checks = checks;
  }

  /** Requires the signatures of a pool transaction to be verified at its next check. */
  requireVerification(hash: string): void {
    this.#unverified.add(hash);
  }

  /** Rechecks a pool transaction; if it passes, the check state has its effects. */
  passes({ hash, tx }: PoolTransaction): boolean {
    const { checks } = this;
    const verified = this.#unverified.has(hash) ? undefined : 'signatures';
    const passed = checks.checkTx(tx, verified).code === 0;
    if (passed && verified === undefined) this.#unverified.delete(hash);
    return passed;
  }

  /** Makes an account's queued transactions pending from its next nonce on, up to the first that fails CheckTx. */
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

  /**
   * Handles a pending transaction that no longer passes: queues it if its predecessor is missing, otherwise drops it.
   */
  demote(transaction: PoolTransaction): void {
    const { pool, checks } = this;
    const sender = transaction.kind === 'ethereum' ? transaction.accounts[0] : undefined;
    // Its predecessor is gone: queue it, like a newly arriving transaction.
    if (sender !== undefined && sender.nonce > checks.nextNonce(sender.address)) pool.move(transaction.hash, 'queued');
    else this.drop(transaction);
  }

  /** Queues the Ethereum transactions of an account after a nonce gap. */
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
   * Makes queued transactions with lower nonces pending, so that they are checked before a restored Cosmos transaction,
   * which cannot be queued. They may already be due, without having been checked.
   */
  unqueueBefore({ accounts }: PoolTransaction): void {
    const { pool } = this;
    for (const { address, nonce } of accounts)
      for (const { place, transaction } of pool.ofAccount(address))
        if (place === 'queued' && transaction.accounts.some((one) => one.address === address && one.nonce < nonce))
          pool.move(transaction.hash, 'pending');
  }

  /** Makes a transaction a dropped entry, or does not restore it; it may be sent again. */
  drop(transaction: PoolTransaction): void {
    this.remove(transaction.hash, 'invalid');
    this.#dropped.push(transaction);
  }

  /** `TransactionPool.remove`, and forgets the verification mark. */
  remove(hash: string, reason: 'committed' | 'invalid'): void {
    this.pool.remove(hash, reason);
    this.#unverified.delete(hash);
  }

  /** Clears the pool and all marks. */
  clear(): void {
    this.pool.clear();
    this.#unverified.clear();
    this.#dropped = [];
  }

  /** Returns the transactions dropped since the last call. */
  takeDropped(): readonly PoolTransaction[] {
    const dropped = this.#dropped;
    if (dropped.length > 0) this.#dropped = [];
    return dropped;
  }
}
