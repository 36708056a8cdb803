import type { DomainError } from '../../core/errors.js';
import type { AccountNonce, PoolTransaction } from '../../core/mempool/pool-transaction.js';
import { effectiveTip } from '../../core/mempool/pool-transaction.js';
import type { PoolPlace, TransactionPool } from '../../core/mempool/transaction-pool.js';
import type { Outcome } from '../../core/node-api.js';
import type { ResponseCheckTx } from '../../core/proto/tendermint/abci/types_pb.js';

/** CheckTx over the state after the last block plus the effects of what is pending; all calls are synchronous. */
export interface Checks {
  /** What orders a transaction; undefined when its bytes cannot be read, and then `checkTx` refuses it. */
  describe(tx: Uint8Array): Omit<PoolTransaction, 'hash'> | undefined;
  /** Keeps the effects of what it accepts. `verified`: its signatures were checked before. */
  checkTx(tx: Uint8Array, verified: Verified): ResponseCheckTx;
  /** Every rule but the nonce's; keeps nothing. `replaced`: the transaction whose effects would go. */
  checkQueued(
    tx: Uint8Array,
    sender: AccountNonce,
    verified: Verified,
    replaced: Uint8Array | undefined,
  ): ResponseCheckTx;
  /** `checkTx` of transactions that wait: Ethereum's, of one sender, in order of their nonces. True for those that pass again. */
  recheck(sender: string, txs: readonly Uint8Array[]): readonly boolean[];
  nextNonce(address: string): bigint;
  /** Forgets the effects of everything pending. */
  reset(): void;
}

/** Who checked the signatures before: `again` when these bytes passed here, `sender` when its sender was recovered from them. */
export type Verified = 'again' | 'sender' | undefined;

export interface Admitted {
  readonly check: ResponseCheckTx;
  /** undefined when CheckTx refused it. */
  readonly transaction: PoolTransaction | undefined;
  readonly place: PoolPlace;
  /** Transactions that left for it. */
  readonly left: readonly PoolTransaction[];
}

export interface AdmissionOptions {
  readonly pool: TransactionPool;
  readonly checks: Checks;
  /** Base fee of the next block. */
  readonly baseFee: () => bigint;
}

/**
 * Lets transactions into the pool and keeps pool and check state of one mind: what is pending has its effects in the
 * check state, what is queued has not.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  /** Something pending left without a block: the check state still shows its effects. */
  #stale = false;
  /** What became invalid since the last block. */
  #fallen: PoolTransaction[] = [];

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  admit(hash: string, tx: Uint8Array, verified?: Verified): Outcome<Admitted> {
    const { pool, checks, baseFee } = this.#options;
    const refusal = pool.refuses(hash, tx.length);
    if (refusal !== undefined) return failed(refusal);
    const described = checks.describe(tx);
    if (described === undefined)
      return {
        ok: true,
        value: { check: checks.checkTx(tx, verified), transaction: undefined, place: 'pending', left: [] },
      };
    const transaction: PoolTransaction = { ...described, hash };
    this.#refresh();
    const rival = pool.rival(transaction);
    const place = this.#placeFor(transaction, rival);
    if (place === 'refused') {
      const check = checks.checkTx(tx, verified);
      // Should it pass all the same, its effects are of something that is not in the pool.
      if (check.code === 0) this.#stale = true;
      return { ok: true, value: { check, transaction: undefined, place: 'pending', left: [] } };
    }
    const room = pool.roomFor(transaction, place, baseFee());
    return room.ok
      ? { ok: true, value: this.#enter(transaction, place, room.leaving, { replaces: rival !== undefined, verified }) }
      : failed(room.error);
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

  /** After a block: `hashes` are in it. Answers what fell out since the one before. */
  committed(hashes: readonly string[]): readonly PoolTransaction[] {
    const { pool } = this.#options;
    for (const hash of hashes) pool.remove(hash, 'committed');
    this.#stale = false;
    this.#recheck();
    return this.#fallen.splice(0);
  }

  /** True when a block at this base fee could hold something. */
  hasWork(): boolean {
    const { pool, baseFee } = this.#options;
    if (pool.pending === 0) return false;
    const fee = baseFee();
    return pool.some('pending', (transaction) => effectiveTip(transaction, fee) !== undefined);
  }

  nextNonce(address: string): bigint {
    this.#refresh();
    return this.#options.checks.nextNonce(address);
  }

  #enter(
    transaction: PoolTransaction,
    place: PoolPlace,
    leaving: readonly PoolTransaction[],
    { replaces, verified }: { readonly replaces: boolean; readonly verified: Verified },
  ): Admitted {
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
    for (const { hash } of leaving) pool.remove(hash, 'invalid');
    pool.add(transaction, place);
    if (places.includes('pending')) this.#stale = true;
    if (place === 'pending') this.#promote(transaction);
    return { check, transaction, place, left: leaving };
  }

  /** What waited for the nonces of `transaction` may come into the next block now. */
  #promote(transaction: PoolTransaction): void {
    if (this.#options.pool.queued === 0) return;
    for (const { address } of transaction.accounts) this.#promoteAccount(address);
  }

  #promoteAccount(address: string): void {
    const { pool, checks } = this.#options;
    for (const next of pool.ready(address, checks.nextNonce(address))) {
      if (checks.checkTx(next.tx, 'again').code !== 0) {
        this.#drop(next);
        return;
      }
      pool.move(next.hash, 'pending');
    }
  }

  #drop(transaction: PoolTransaction): void {
    this.#options.pool.remove(transaction.hash, 'invalid');
    this.#fallen.push(transaction);
  }

  /** Makes the check state new when it shows effects of what is no longer pending. */
  #refresh(): void {
    if (!this.#stale) return;
    this.#stale = false;
    this.#options.checks.reset();
    this.#recheck();
  }

  /** A pending transaction does not pass any more. */
  #leavePending(transaction: PoolTransaction): void {
    const { pool, checks } = this.#options;
    const sender = transaction.kind === 'ethereum' ? transaction.accounts[0] : undefined;
    // Its predecessor is gone: it waits again, as it would if it came now.
    if (sender !== undefined && sender.nonce > checks.nextNonce(sender.address)) pool.move(transaction.hash, 'queued');
    else this.#drop(transaction);
  }

  /** Checks everything pending over a fresh check state, then what is queued. */
  #recheck(): void {
    const { pool, checks } = this.#options;
    const pending = pool.entries('pending');
    const sdkAccounts = new Set(
      pending.flatMap(({ kind, accounts }) => (kind === 'cosmos' ? accounts.map(({ address }) => address) : [])),
    );
    // Senders whose transactions nobody else's can turn into invalid ones are checked each by itself, in one go.
    const lines = new Map<string, PoolTransaction[]>();
    for (const transaction of pending) {
      const sender = transaction.kind === 'ethereum' ? transaction.accounts[0]?.address : undefined;
      if (sender === undefined || sdkAccounts.has(sender)) {
        if (checks.checkTx(transaction.tx, 'again').code !== 0) this.#leavePending(transaction);
        continue;
      }
      const line = lines.get(sender);
      if (line === undefined) lines.set(sender, [transaction]);
      else line.push(transaction);
    }
    for (const [sender, line] of lines) {
      const passed = checks.recheck(
        sender,
        line.map(({ tx }) => tx),
      );
      for (const [index, transaction] of line.entries()) if (passed[index] !== true) this.#leavePending(transaction);
    }
    for (const transaction of pool.entries('queued')) {
      const [sender] = transaction.accounts;
      if (sender === undefined || pool.placeOf(transaction.hash) !== 'queued') continue;
      const next = checks.nextNonce(sender.address);
      if (sender.nonce < next) this.#drop(transaction);
      else if (sender.nonce === next) this.#promoteAccount(sender.address);
    }
  }
}

function failed(error: DomainError): { readonly ok: false; readonly error: DomainError } {
  return { ok: false, error };
}
