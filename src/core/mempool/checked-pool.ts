import { invariant, type DomainError, type Outcome } from '../errors.js';
import type { ResponseCheckTx } from '../proto/tendermint/abci/types_pb.js';
import type { Checks, Verified } from './checks.js';
import { effectiveTip, type PoolTransaction } from './pool-transaction.js';
import type { PoolPlace, TransactionPool } from './transaction-pool.js';

/** The answer of an admission. */
export interface Admission {
  readonly check: ResponseCheckTx;
  /** undefined when CheckTx refused it. */
  readonly transaction: PoolTransaction | undefined;
  readonly place: PoolPlace;
  /** Transactions that left for it. */
  readonly left: readonly PoolTransaction[];
}

/** A transaction that was admitted before. */
export interface Returning {
  readonly hash: string;
  readonly tx: Uint8Array;
  /** `again` when its signatures were checked by a check that still holds. */
  readonly verified: Verified;
}

export interface CheckedPoolOptions {
  readonly pool: TransactionPool;
  readonly checks: Checks;
  /** Base fee of the next block. */
  readonly baseFee: () => bigint;
}

/** Units of work that a check takes: of one Ethereum transaction in the line of its sender, and of any other. */
const LINE_UNITS = 1;
const CHECK_UNITS = 4;
/** Transactions of one line that are checked in one step. */
const LINE_STEP = 64;

/**
 * The pool and the check state, kept consistent: what is pending has its effects in the check state, what is queued has
 * not. After a block, or when something pending left without one, everything is checked again over a new check state,
 * in steps (`work`); until then nothing is admitted and no block is filled.
 */
export class CheckedPool {
  readonly #options: CheckedPoolOptions;
  /** The rest of checking everything again: each step answers its units. */
  #rest: Iterator<number, void> | undefined;
  /** Left without a block since `takeFallen`. */
  #fallen: PoolTransaction[] = [];
  /** Hashes of transactions whose signatures must be checked again. */
  readonly #unverified = new Set<string>();

  constructor(options: CheckedPoolOptions) {
    this.#options = options;
  }

  /** True when pool and check state are consistent. */
  get settled(): boolean {
    return this.#rest === undefined;
  }

  /** Checks further for about `units` transactions; true when pool and check state are consistent. */
  work(units: number): boolean {
    for (let left = units; left > 0 && this.#rest !== undefined;) {
      const step = this.#rest.next();
      if (step.done === true) this.#rest = undefined;
      else left -= step.value;
    }
    return this.settled;
  }

  /** Lets a transaction in when it passes CheckTx and there is room. */
  admit(hash: string, tx: Uint8Array, verified?: Verified): Outcome<Admission> {
    const { pool, checks, baseFee } = this.#options;
    const refusal = pool.refuses(hash, tx.length);
    if (refusal !== undefined) return failed(refusal);
    const described = checks.describe(tx);
    if (described === undefined) return refused(checks.checkTx(tx, verified));
    const transaction: PoolTransaction = { ...described, hash };
    this.#settle();
    const rival = pool.rival(transaction);
    const place = this.#placeFor(transaction, rival);
    if (place === 'refused') {
      const check = checks.checkTx(tx, verified);
      // Should it pass all the same, its effects are of something that is not in the pool.
      if (check.code === 0) this.#checkAgain();
      return refused(check);
    }
    const room = pool.roomFor(transaction, place, baseFee());
    return room.ok
      ? { ok: true, value: this.#enter(transaction, place, room.leaving, { replaces: rival !== undefined, verified }) }
      : failed(room.error);
  }

  /** A block with `hashes` was executed: `checks` read the state after it from now on. */
  committed(hashes: readonly string[]): void {
    for (const hash of hashes) this.#remove(hash, 'committed');
    this.#checkAgain();
  }

  /**
   * Brings back what was admitted before, in order of admission; what passes no longer falls when it is checked again.
   */
  restore(entries: readonly Returning[]): void {
    const { pool, checks } = this.#options;
    const senders = new Set<string>();
    for (const { hash, tx, verified } of entries) {
      if (pool.has(hash)) continue;
      const described = checks.describe(tx);
      invariant(described !== undefined, 'what was admitted can be read');
      const transaction = { ...described, hash };
      // A transaction of the same nonce came in meanwhile, or the pool is smaller than it was.
      if (pool.rival(transaction) !== undefined || !pool.hasRoom(tx.length)) {
        this.#fallen.push(transaction);
        continue;
      }
      pool.add(transaction, 'pending');
      if (verified === undefined) this.#unverified.add(hash);
      const [sender] = transaction.accounts;
      if (transaction.kind === 'ethereum' && sender !== undefined) senders.add(sender.address);
    }
    this.#checkAgain();
    for (const sender of senders) this.#queueBehindGap(sender);
  }

  /** Begins with these, in order of admission, and nothing else. */
  begin(entries: readonly Returning[]): void {
    const { pool } = this.#options;
    for (const { hash } of [...pool.entries('pending'), ...pool.entries('queued')]) pool.remove(hash, 'invalid');
    this.#unverified.clear();
    this.restore(entries);
  }

  /** Takes an admission back, as if it had not been. */
  withdraw(hash: string): void {
    const { pool } = this.#options;
    const place = pool.placeOf(hash);
    this.#remove(hash, 'invalid');
    if (place === 'pending' || !this.settled) this.#checkAgain();
  }

  /** Forgets everything, also what was seen before: what was committed may be sent again. */
  clear(): void {
    this.#options.pool.clear();
    this.#unverified.clear();
    this.#fallen = [];
    this.#checkAgain();
  }

  /** The transactions that left without a block since the last call. */
  takeFallen(): readonly PoolTransaction[] {
    return this.#fallen.splice(0);
  }

  /**
   * Transactions for a block, as `TransactionPool.reap`, after everything was checked over the state that it follows.
   */
  reap(maximum: { readonly bytes: number; readonly gas: bigint }): readonly Uint8Array[] {
    this.#settle();
    return this.#options.pool.reap(maximum, this.#options.baseFee());
  }

  /** True when a block at the next base fee could hold something; false while that is being checked. */
  hasWork(): boolean {
    const { pool, baseFee } = this.#options;
    if (!this.settled || pool.pending === 0) return false;
    const fee = baseFee();
    return pool.some('pending', (transaction) => effectiveTip(transaction, fee) !== undefined);
  }

  /**
   * Nonce that the next transaction of an account needs, when everything pending is counted. `address` is lower-case
   * hex.
   */
  nextNonce(address: string): bigint {
    const { pool, checks } = this.#options;
    if (this.settled) return checks.nextNonce(address);
    const pending = pool.ofAccount(address).filter(({ place }) => place === 'pending');
    const last = pending.at(-1)?.transaction.accounts.find((account) => account.address === address);
    return last === undefined ? checks.nextNonce(address) : last.nonce + 1n;
  }

  #settle(): void {
    this.work(Number.POSITIVE_INFINITY);
  }

  #checkAgain(): void {
    this.#options.checks.reset();
    this.#rest = this.#everything();
  }

  /** Where a transaction belongs by its nonces; `refused`: CheckTx has the words for why it does not. */
  #placeFor({ kind, accounts }: PoolTransaction, rival: PoolTransaction | undefined): PoolPlace | 'refused' {
    const { pool, checks } = this.#options;
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
    leaving: readonly PoolTransaction[],
    { replaces, verified }: { readonly replaces: boolean; readonly verified: Verified },
  ): Admission {
    const { pool, checks } = this.#options;
    const { tx, accounts } = transaction;
    const sender = transaction.kind === 'ethereum' ? accounts[0] : undefined;
    // The check state has passed the nonce of what is replaced, and has not reached one that is queued.
    const replaced = replaces && place === 'pending' ? leaving[0]?.tx : undefined;
    const check =
      sender !== undefined && (place === 'queued' || replaces)
        ? checks.checkQueued(tx, sender, verified, replaced)
        : checks.checkTx(tx, verified);
    if (check.code !== 0) return { check, transaction: undefined, place, left: [] };
    const places = leaving.map(({ hash }) => pool.placeOf(hash));
    for (const { hash } of leaving) this.#remove(hash, 'invalid');
    pool.add(transaction, place);
    if (!checks.signaturesLast()) this.#unverified.add(transaction.hash);
    if (place === 'pending') this.#promote(transaction);
    if (places.includes('pending')) this.#checkAgain();
    return { check, transaction, place, left: leaving };
  }

  /** Transactions that waited for the nonces of `transaction` may come into the next block now. */
  #promote(transaction: PoolTransaction): void {
    if (this.#options.pool.queued === 0) return;
    for (const { address } of transaction.accounts) this.#promoteAccount(address);
  }

  #promoteAccount(address: string): void {
    const { pool, checks } = this.#options;
    for (const next of pool.ready(address, checks.nextNonce(address))) {
      if (!this.#passes(next)) {
        this.#drop(next);
        return;
      }
      pool.move(next.hash, 'pending');
    }
  }

  #passes({ hash, tx }: PoolTransaction): boolean {
    const verified = this.#unverified.has(hash) ? undefined : 'again';
    const { checks } = this.#options;
    const passed = checks.checkTx(tx, verified).code === 0;
    if (passed && verified === undefined && checks.signaturesLast()) this.#unverified.delete(hash);
    return passed;
  }

  #drop(transaction: PoolTransaction): void {
    this.#remove(transaction.hash, 'invalid');
    this.#fallen.push(transaction);
  }

  #remove(hash: string, reason: 'committed' | 'invalid'): void {
    this.#options.pool.remove(hash, reason);
    this.#unverified.delete(hash);
  }

  /** A pending transaction does not pass any more. */
  #leavePending(transaction: PoolTransaction): void {
    const { pool, checks } = this.#options;
    const sender = transaction.kind === 'ethereum' ? transaction.accounts[0] : undefined;
    // Its predecessor is gone: it waits again, as it would if it came now.
    if (sender !== undefined && sender.nonce > checks.nextNonce(sender.address)) pool.move(transaction.hash, 'queued');
    else this.#drop(transaction);
  }

  /** Ethereum transactions of an account behind a nonce that no transaction uses wait for it. */
  #queueBehindGap(address: string): void {
    const { pool, checks } = this.#options;
    let next = checks.nextNonce(address);
    for (const { transaction } of pool.ofAccount(address)) {
      const nonce = transaction.accounts.find((account) => account.address === address)?.nonce;
      if (nonce === next) next += 1n;
      else if (nonce !== undefined && nonce > next && transaction.kind === 'ethereum')
        pool.move(transaction.hash, 'queued');
    }
  }

  /** Checks everything pending over a fresh check state, then what is queued. */
  *#everything(): Generator<number, void> {
    const { pool, checks } = this.#options;
    const pending = pool.entries('pending');
    const sdkAccounts = new Set(
      pending.flatMap(({ kind, accounts }) => (kind === 'cosmos' ? accounts.map(({ address }) => address) : [])),
    );
    // A sender whose transactions no other account's can make invalid has a line of its own, checked in one go.
    const lines = new Map<string, PoolTransaction[]>();
    for (const transaction of pending) {
      const sender = transaction.kind === 'ethereum' ? transaction.accounts[0]?.address : undefined;
      if (sender === undefined || sdkAccounts.has(sender)) {
        if (!this.#passes(transaction)) this.#leavePending(transaction);
        yield CHECK_UNITS;
        continue;
      }
      const line = lines.get(sender);
      if (line === undefined) lines.set(sender, [transaction]);
      else line.push(transaction);
    }
    for (const [sender, line] of lines) {
      for (let first = 0; first < line.length; first += LINE_STEP) {
        const part = line.slice(first, first + LINE_STEP);
        const passed = checks.recheck(
          sender,
          part.map(({ tx }) => tx),
        );
        for (const [index, transaction] of part.entries()) if (passed[index] !== true) this.#leavePending(transaction);
        yield part.length * LINE_UNITS;
      }
    }
    for (const transaction of pool.entries('queued')) {
      const [sender] = transaction.accounts;
      if (sender === undefined || pool.placeOf(transaction.hash) !== 'queued') continue;
      const next = checks.nextNonce(sender.address);
      if (sender.nonce < next) this.#drop(transaction);
      else if (sender.nonce === next) this.#promoteAccount(sender.address);
      yield CHECK_UNITS;
    }
  }
}

function refused(check: ResponseCheckTx): Outcome<Admission> {
  return { ok: true, value: { check, transaction: undefined, place: 'pending', left: [] } };
}

function failed(error: DomainError): { readonly ok: false; readonly error: DomainError } {
  return { ok: false, error };
}
