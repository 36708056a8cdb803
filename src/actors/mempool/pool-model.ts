import { invariant, type Outcome } from '../../core/errors.js';
import type { PoolEvent } from '../../core/log-events.js';
import { fromHex, upperHex } from '../../core/bytes/hex.js';
import { CheckedPool, type Admission, type Returning } from '../../core/mempool/checked-pool.js';
import type { AlreadyVerified } from '../../core/mempool/checks.js';
import type { PoolTransaction } from '../../core/mempool/pool-transaction.js';
import type { RecentHashes } from '../../core/mempool/recent-hashes.js';
import { TransactionPool } from '../../core/mempool/transaction-pool.js';
import type { WaitingTransaction } from '../../core/mempool/pending-transactions.js';
import type { Admitted, Dropped } from '../../streams/index.js';
import type { ExecutedBlock, MempoolPorts } from './ports.js';

/** A transaction that came in, and those that it displaced, before the log has it. */
export interface Reservation {
  readonly transaction: PoolTransaction;
  readonly displaced: readonly PoolTransaction[];
}

/** The state that one incarnation of the mempool holds. */
export class PoolModel {
  readonly #ports: MempoolPorts;
  readonly transactions: TransactionPool;
  readonly pool: CheckedPool;
  /**
   * Admissions whose record was not heard yet, by hash: checks, nonces and blocks count them, faces do not show them.
   */
  readonly #reserved = new Map<string, Reservation>();
  /** Hashes of dropped transactions, until the log has them. */
  #unlogged: readonly Uint8Array[] = [];
  #appending = 0;

  /** `committed`: transactions of the last blocks; it outlives an incarnation, because no row holds them. */
  constructor(ports: MempoolPorts, committed: RecentHashes) {
    this.#ports = ports;
    this.transactions = new TransactionPool(ports.limits, committed);
    this.pool = new CheckedPool({
      pool: this.transactions,
      checks: ports.createChecks(),
      baseFee: ports.baseFee,
    });
  }

  /** True when every append has its answer. */
  get quiet(): boolean {
    return this.#reserved.size === 0 && this.#appending === 0;
  }

  /** True for a transaction of the pool that the log has. */
  isLogged(hash: string): boolean {
    return !this.#reserved.has(hash);
  }

  /** Begins with what waits as the log has it. */
  restore(): void {
    this.pool.restore(this.#returning(this.#ports.waiting.all()));
  }

  admit(tx: Uint8Array, verified: AlreadyVerified): Outcome<Admission> {
    const admitted = this.pool.admit(this.#ports.hashOf(tx), tx, verified);
    if (!admitted.ok) return admitted;
    const { transaction, displaced } = admitted.value;
    if (transaction !== undefined) this.#reserved.set(transaction.hash, { transaction, displaced });
    return admitted;
  }

  /** The log has these admissions. */
  admitted({ entries }: Admitted): void {
    const unknown = entries.filter(({ tx }) => !this.#confirm(this.#ports.hashOf(tx)));
    if (unknown.length === 0) return;
    // An incarnation before this one let them in, and took out what they displaced.
    for (const { displaced } of unknown) this.#withdraw(displaced);
    this.pool.restore(
      this.#returning(unknown.map(({ tx, position }) => ({ hash: this.#ports.hashOf(tx), tx, position }))),
    );
  }

  /** The log refused an admission: it was never there, and what it displaced waits again. */
  refused(hash: string): void {
    const reservation = this.#reserved.get(hash);
    if (reservation === undefined) return;
    this.#reserved.delete(hash);
    const heir = [...this.#reserved.values()].find(({ displaced }) => displaced.some((one) => one.hash === hash));
    if (heir !== undefined) {
      // Another one displaced it already, and with it what it displaced.
      const displaced = [...heir.displaced, ...reservation.displaced];
      this.#reserved.set(heir.transaction.hash, { ...heir, displaced });
      return;
    }
    if (reservation.displaced.length === 0) return this.pool.withdraw(hash);
    this.pool.begin(this.#inOrder());
  }

  /** The log has it that these left without a block; an earlier incarnation may have logged it. */
  dropped({ hashes }: Dropped): void {
    this.#withdraw(hashes);
  }

  executed({ execution }: ExecutedBlock): void {
    invariant(execution !== undefined, 'a block that is heard live has just been executed');
    this.pool.committed((execution.block.block.data?.txs ?? []).map((tx) => this.#ports.hashOf(tx)));
  }

  reverted(): void {
    this.#unlogged = [];
    this.pool.clear();
  }

  /** The event for what was dropped since the last call; undefined without any. `dropsAppended` brings its outcome. */
  takeDrops(): Extract<PoolEvent, { type: 'TxDropped' }> | undefined {
    const dropped = this.pool.takeDropped();
    if (dropped.length === 0 && this.#unlogged.length === 0) return undefined;
    const hashes = [...this.#unlogged, ...dropped.map(({ hash }) => fromHex(hash))];
    this.#unlogged = [];
    this.#appending += 1;
    return { type: 'TxDropped', v: 1, data: { hashes } };
  }

  /** The log has the event, or refused it: then the next event repeats the hashes. */
  dropsAppended(refused: readonly Uint8Array[]): void {
    this.#appending -= 1;
    this.#unlogged = [...this.#unlogged, ...refused];
  }

  /** The log has the admission of `hash`: true when this incarnation let it in. */
  #confirm(hash: string): boolean {
    const reservation = this.#reserved.get(hash);
    if (reservation === undefined) return false;
    this.#reserved.delete(hash);
    // This one displaced what a refused admission had displaced; its event does not name that.
    const unnamed = reservation.displaced.filter(
      (one) => this.#ports.waiting.get(one.hash) !== undefined && !this.transactions.has(one.hash),
    );
    if (unnamed.length > 0) this.#unlogged = [...this.#unlogged, ...unnamed.map((one) => fromHex(one.hash))];
    return true;
  }

  #withdraw(hashes: readonly Uint8Array[]): void {
    for (const hash of hashes.map(upperHex)) if (this.transactions.has(hash)) this.pool.withdraw(hash);
  }

  /** The waiting transactions in order of admission: those in the log, then those that it does not have yet. */
  #inOrder(): readonly Returning[] {
    const reserved = [...this.#reserved.values()];
    const displaced = new Set(reserved.flatMap((one) => one.displaced.map(({ hash }) => hash)));
    return [
      ...this.#returning(this.#ports.waiting.all()),
      ...reserved.map(({ transaction: { hash, tx } }): Returning => ({ hash, tx, verified: 'signatures' })),
    ].filter(({ hash }) => !displaced.has(hash));
  }

  #returning(entries: readonly WaitingTransaction[]): readonly Returning[] {
    const after = this.#ports.verifiedAfter();
    return entries.map(({ hash, tx, position }) => ({
      hash,
      tx,
      verified: after !== undefined && position > after ? 'signatures' : undefined,
    }));
  }
}
