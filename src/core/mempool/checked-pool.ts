import { invariant, type DomainError, type Outcome } from '../errors.js';
import type { ResponseCheckTx } from '../proto/tendermint/abci/types_pb.js';
import { checkAll } from './check-all.js';
import { CheckedEntries } from './checked-entries.js';
import type { AlreadyVerified, Checks } from './checks.js';
import type { BlockRoom } from './order.js';
import { effectiveTip, withHash, type PoolTransaction } from './pool-transaction.js';
import type { PoolPlace, TransactionPool } from './transaction-pool.js';

/** Result of an admission. */
export interface Admission {
  readonly check: ResponseCheckTx;
  /** Undefined when CheckTx refused it. */
  readonly transaction: PoolTransaction | undefined;
  readonly place: PoolPlace;
  /** Transactions that left the pool for it: the one it replaces, or those evicted. */
  readonly displaced: readonly PoolTransaction[];
}

/** A transaction that was admitted before. */
export interface ReadmittedTransaction {
  readonly hash: string;
  readonly tx: Uint8Array;
  /** `signatures` when they were verified by a check that is still valid. */
  readonly verified: AlreadyVerified;
}

export interface CheckedPoolOptions {
  readonly pool: TransactionPool;
  readonly checks: Checks;
  /** Base fee of the next block. */
  readonly baseFee: () => bigint;
}

/**
 * Pool and check state, kept consistent: pending transactions have their effects in the check state, queued ones have
 * not. After a block, or when a pending transaction is removed otherwise, everything is rechecked on a new check state
 * in steps (`recheck`); until then nothing is admitted or reaped.
 */
export class CheckedPool {
  readonly #entries: CheckedEntries;
  readonly #baseFee: () => bigint;
  /** The unfinished recheck: each step yields its units of work. */
  #rest: Iterator<number, void> | undefined;

  constructor({ pool, checks, baseFee }: CheckedPoolOptions) {
    this.#entries = new CheckedEntries(pool, checks);
    this.#baseFee = baseFee;
  }

  /** True when no recheck is in progress. */
  get settled(): boolean {
    return this.#rest === undefined;
  }

  /** Continues the recheck for about `units` units of work; true when it is complete. */
  recheck(units: number): boolean {
    for (let left = units; left > 0 && this.#rest !== undefined;) {
      const step = this.#rest.next();
      if (step.done === true) this.#rest = undefined;
      else left -= step.value;
    }
    return this.settled;
  }

  /** Admits a transaction if it passes CheckTx and there is room. */
  admit(hash: string, tx: Uint8Array, verified?: AlreadyVerified): Outcome<Admission> {
    const { pool, checks } = this.#entries;
    const refusal = pool.refusalOf(hash, tx.length);
    if (refusal !== undefined) return failed(refusal);
    const described = checks.describe(tx);
    if (described === undefined) return refused(checks.checkTx(tx, verified));
    const transaction = withHash(described, hash);
    this.#settle();
    const rival = pool.rival(transaction);
    const place = this.#placeFor(transaction, rival);
    if (place === 'refused') {
      const check = checks.checkTx(tx, verified);
      // If it passes nevertheless, its effects must be removed from the check state, because it is not in the pool.
      if (check.code === 0) this.#checkAgain();
      return refused(check);
    }
    const room = pool.roomFor(transaction, place, this.#baseFee());
    if (!room.ok) return failed(room.error);
    const how = { replaces: rival !== undefined, verified };
    return { ok: true, value: this.#enter(transaction, place, room.displaced, how) };
  }

  /** Removes the transactions of an executed block and starts a recheck on the state after it. */
  committed(hashes: readonly string[]): void {
    for (const hash of hashes) this.#entries.remove(hash, 'committed');
    this.#checkAgain();
  }

  /** Restores transactions in order of admission. Those that no longer pass are dropped by the recheck. */
  restore(entries: readonly ReadmittedTransaction[]): void {
    const { pool, checks } = this.#entries;
    const senders = new Set<string>();
    for (const { hash, tx, verified } of entries) {
      if (pool.has(hash)) continue;
      const described = checks.describe(tx);
      invariant(described !== undefined, 'an admitted transaction can be decoded');
      const transaction = withHash(described, hash);
      // A transaction with the same nonce was admitted meanwhile, or the pool's limit was lowered.
      if (pool.rival(transaction) !== undefined || !pool.hasRoom(tx.length)) {
        this.#entries.drop(transaction);
        continue;
      }
      pool.add(transaction, 'pending');
      if (verified === undefined) this.#entries.requireVerification(hash);
      const [sender] = transaction.accounts;
      if (transaction.kind === 'ethereum' && sender !== undefined) senders.add(sender.address);
      if (transaction.kind === 'cosmos') this.#entries.unqueueBefore(transaction);
    }
    this.#checkAgain();
    for (const sender of senders) this.#entries.queueBehindGap(sender);
  }

  /** Replaces the pool's content by these transactions, in order of admission. */
  begin(entries: readonly ReadmittedTransaction[]): void {
    const { pool } = this.#entries;
    for (const { hash } of [...pool.entries('pending'), ...pool.entries('queued')])
      this.#entries.remove(hash, 'invalid');
    this.restore(entries);
  }

  /** Undoes an admission. */
  undoAdmission(hash: string): void {
    const { pool } = this.#entries;
    const place = pool.placeOf(hash);
    this.#entries.remove(hash, 'invalid');
    if (place === 'pending' || !this.settled) this.#checkAgain();
  }

  /** Clears the pool and the duplicate cache, so that committed transactions may be sent again. */
  clear(): void {
    this.#entries.clear();
    this.#checkAgain();
  }

  /** Returns the transactions dropped since the last call. */
  takeDropped(): readonly PoolTransaction[] {
    return this.#entries.takeDropped();
  }

  /** Selects transactions for the next block (`TransactionPool.reap`), after completing the recheck. */
  reap(room: BlockRoom): readonly PoolTransaction[] {
    this.#settle();
    const { pool } = this.#entries;
    return pool.pending === 0 ? [] : pool.reap(room, this.#baseFee());
  }

  /** True when some transaction pays the next base fee; false during a recheck. */
  hasIncludable(): boolean {
    const { pool } = this.#entries;
    if (!this.settled || pool.pending === 0) return false;
    return pool.hasPayingTransaction(this.#baseFee());
  }

  /**
   * True when the next block may include this transaction: its nonce is due, and it and the first pending transaction
   * of its sender pay the next base fee. `hash`: its hash or alias.
   */
  isDue(hash: string): boolean {
    const { pool } = this.#entries;
    const transaction = pool.get(hash);
    if (transaction === undefined || pool.placeOf(transaction.hash) !== 'pending') return false;
    const fee = this.#baseFee();
    const pays = (one: PoolTransaction): boolean => effectiveTip(one, fee) !== undefined;
    return pays(transaction) && pool.firstOfEach(transaction).every(pays);
  }

  /** Next nonce of an account, counting pending transactions. `address`: lower-case hex. */
  nextNonce(address: string): bigint {
    const { pool, checks } = this.#entries;
    if (this.settled) return checks.nextNonce(address);
    const pending = pool.ofAccount(address).filter(({ place }) => place === 'pending');
    const last = pending.at(-1)?.transaction.accounts.find((account) => account.address === address);
    return last === undefined ? checks.nextNonce(address) : last.nonce + 1n;
  }

  #settle(): void {
    this.recheck(Number.POSITIVE_INFINITY);
  }

  #checkAgain(): void {
    this.#entries.checks.reset();
    this.#rest = checkAll(this.#entries);
  }

  /** Decides the place of a transaction by its nonces. `refused`: none; CheckTx gives the reason. */
  #placeFor({ kind, accounts }: PoolTransaction, rival: PoolTransaction | undefined): PoolPlace | 'refused' {
    const { pool, checks } = this.#entries;
    const [sender] = accounts;
    // The SDK has no queue and no replacement: a sequence is either the next one or wrong.
    if (kind === 'cosmos' || sender === undefined) return rival === undefined ? 'pending' : 'refused';
    if (rival !== undefined) return pool.placeOf(rival.hash) ?? 'refused';
    const next = checks.nextNonce(sender.address);
    if (sender.nonce === next) return 'pending';
    return sender.nonce > next ? 'queued' : 'refused';
  }

  #enter(
    transaction: PoolTransaction,
    place: PoolPlace,
    displaced: readonly PoolTransaction[],
    { replaces, verified }: { readonly replaces: boolean; readonly verified: AlreadyVerified },
  ): Admission {
    const { pool, checks } = this.#entries;
    const { tx, accounts } = transaction;
    const sender = transaction.kind === 'ethereum' ? accounts[0] : undefined;
    // CheckTx cannot be used: the check state is beyond the nonce of a replaced transaction, and before that of a
    // queued one.
    const replaced = replaces && place === 'pending' ? displaced[0]?.tx : undefined;
    const check =
      sender !== undefined && (place === 'queued' || replaces)
        ? checks.checkQueued(tx, sender, verified, replaced)
        : checks.checkTx(tx, verified);
    if (check.code !== 0) return { check, transaction: undefined, place, displaced: [] };
    const places = displaced.map(({ hash }) => pool.placeOf(hash));
    for (const { hash } of displaced) this.#entries.remove(hash, 'invalid');
    pool.add(transaction, place);
    if (place === 'pending' && pool.queued > 0) for (const { address } of accounts) this.#entries.promote(address);
    if (places.includes('pending')) this.#checkAgain();
    return { check, transaction, place, displaced };
  }
}

function refused(check: ResponseCheckTx): Outcome<Admission> {
  return { ok: true, value: { check, transaction: undefined, place: 'pending', displaced: [] } };
}

function failed(error: DomainError): { readonly ok: false; readonly error: DomainError } {
  return { ok: false, error };
}
