import { invariant, type DomainError, type Outcome } from '../errors.js';
import type { ResponseCheckTx } from '../proto/tendermint/abci/types_pb.js';
import { checkAll } from './check-all.js';
import { CheckedEntries } from './checked-entries.js';
import type { AlreadyVerified, Checks } from './checks.js';
import type { BlockRoom } from './order.js';
import { effectiveTip, withHash, type PoolTransaction } from './pool-transaction.js';
import type { PoolPlace, TransactionPool } from './transaction-pool.js';

/** The answer of an admission. */
export interface Admission {
  readonly check: ResponseCheckTx;
  /** undefined when CheckTx refused it. */
  readonly transaction: PoolTransaction | undefined;
  readonly place: PoolPlace;
  /** Transactions that left the pool for it: the one that it replaces, or those that made room. */
  readonly displaced: readonly PoolTransaction[];
}

/** A transaction that was admitted before. */
export interface Returning {
  readonly hash: string;
  readonly tx: Uint8Array;
  /** `signatures` when a check that still holds has verified them. */
  readonly verified: AlreadyVerified;
}

export interface CheckedPoolOptions {
  readonly pool: TransactionPool;
  readonly checks: Checks;
  /** Base fee of the next block. */
  readonly baseFee: () => bigint;
}

/**
 * The pool and the check state, kept consistent: what is pending has its effects in the check state, what is queued has
 * not. After a block, or when something pending left without one, everything is checked again over a new check state,
 * in steps (`recheck`); until then nothing is admitted and no block is filled.
 */
export class CheckedPool {
  readonly #entries: CheckedEntries;
  readonly #baseFee: () => bigint;
  /** The rest of checking everything again: each step returns its units. */
  #rest: Iterator<number, void> | undefined;

  constructor({ pool, checks, baseFee }: CheckedPoolOptions) {
    this.#entries = new CheckedEntries(pool, checks);
    this.#baseFee = baseFee;
  }

  /** True when pool and check state are consistent. */
  get settled(): boolean {
    return this.#rest === undefined;
  }

  /** Checks further for about `units` transactions; true when pool and check state are consistent. */
  recheck(units: number): boolean {
    for (let left = units; left > 0 && this.#rest !== undefined;) {
      const step = this.#rest.next();
      if (step.done === true) this.#rest = undefined;
      else left -= step.value;
    }
    return this.settled;
  }

  /** Lets a transaction in when it passes CheckTx and there is room. */
  admit(hash: string, tx: Uint8Array, verified?: AlreadyVerified): Outcome<Admission> {
    const { pool, checks } = this.#entries;
    const refusal = pool.refuses(hash, tx.length);
    if (refusal !== undefined) return failed(refusal);
    const described = checks.describe(tx);
    if (described === undefined) return refused(checks.checkTx(tx, verified));
    const transaction = withHash(described, hash);
    this.#settle();
    const rival = pool.rival(transaction);
    const place = this.#placeFor(transaction, rival);
    if (place === 'refused') {
      const check = checks.checkTx(tx, verified);
      // Should it pass all the same, its effects are of something that is not in the pool.
      if (check.code === 0) this.#checkAgain();
      return refused(check);
    }
    const room = pool.roomFor(transaction, place, this.#baseFee());
    if (!room.ok) return failed(room.error);
    const how = { replaces: rival !== undefined, verified };
    return { ok: true, value: this.#enter(transaction, place, room.displaced, how) };
  }

  /** A block with `hashes` was executed: `checks` read the state after it from now on. */
  committed(hashes: readonly string[]): void {
    for (const hash of hashes) this.#entries.remove(hash, 'committed');
    this.#checkAgain();
  }

  /**
   * Brings back what was admitted before, in order of admission. Transactions that no longer pass are dropped when they
   * are checked again.
   */
  restore(entries: readonly Returning[]): void {
    const { pool, checks } = this.#entries;
    const senders = new Set<string>();
    for (const { hash, tx, verified } of entries) {
      if (pool.has(hash)) continue;
      const described = checks.describe(tx);
      invariant(described !== undefined, 'what was admitted can be read');
      const transaction = withHash(described, hash);
      // A transaction of the same nonce came in meanwhile, or the pool is smaller than it was.
      if (pool.rival(transaction) !== undefined || !pool.hasRoom(tx.length)) {
        this.#entries.drop(transaction);
        continue;
      }
      pool.add(transaction, 'pending');
      if (verified === undefined) this.#entries.verifyAgain(hash);
      const [sender] = transaction.accounts;
      if (transaction.kind === 'ethereum' && sender !== undefined) senders.add(sender.address);
      if (transaction.kind === 'cosmos') this.#entries.unqueueBefore(transaction);
    }
    this.#checkAgain();
    for (const sender of senders) this.#entries.queueBehindGap(sender);
  }

  /** Begins with these, in order of admission, and nothing else. */
  begin(entries: readonly Returning[]): void {
    const { pool } = this.#entries;
    for (const { hash } of [...pool.entries('pending'), ...pool.entries('queued')])
      this.#entries.remove(hash, 'invalid');
    this.restore(entries);
  }

  /** Takes an admission back, as if it had not been. */
  withdraw(hash: string): void {
    const { pool } = this.#entries;
    const place = pool.placeOf(hash);
    this.#entries.remove(hash, 'invalid');
    if (place === 'pending' || !this.settled) this.#checkAgain();
  }

  /** Forgets everything, also what was seen before: what was committed may be sent again. */
  clear(): void {
    this.#entries.clear();
    this.#checkAgain();
  }

  /** The transactions that left without a block since the last call. */
  takeDropped(): readonly PoolTransaction[] {
    return this.#entries.takeDropped();
  }

  /**
   * Transactions for a block, as `TransactionPool.reap`, after everything was checked over the state that it follows.
   */
  reap(room: BlockRoom): readonly PoolTransaction[] {
    this.#settle();
    const { pool } = this.#entries;
    return pool.pending === 0 ? [] : pool.reap(room, this.#baseFee());
  }

  /** True when a block at the next base fee could hold something; false while that is being checked. */
  hasIncludable(): boolean {
    const { pool } = this.#entries;
    if (!this.settled || pool.pending === 0) return false;
    return pool.hasPaying(this.#baseFee());
  }

  /**
   * True when the next block may hold this transaction: its nonce is due, and it pays the next base fee, as does the
   * first waiting transaction of its sender. `hash`: its hash or its alias.
   */
  isDue(hash: string): boolean {
    const { pool } = this.#entries;
    const transaction = pool.get(hash);
    if (transaction === undefined || pool.placeOf(transaction.hash) !== 'pending') return false;
    const fee = this.#baseFee();
    const pays = (one: PoolTransaction): boolean => effectiveTip(one, fee) !== undefined;
    return pays(transaction) && pool.firstOfEach(transaction).every(pays);
  }

  /**
   * Nonce that the next transaction of an account needs, when everything pending is counted. `address` is lower-case
   * hex.
   */
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

  /** Finds the place of a transaction by its nonces. `refused`: it has no place; CheckTx gives the reason. */
  #placeFor({ kind, accounts }: PoolTransaction, rival: PoolTransaction | undefined): PoolPlace | 'refused' {
    const { pool, checks } = this.#entries;
    const [sender] = accounts;
    // The SDK knows no waiting and no replacing: a sequence is the next one or wrong.
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
    // The check state has passed the nonce of what is replaced, and has not reached one that is queued.
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
