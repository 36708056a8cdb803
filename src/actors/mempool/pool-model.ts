import { invariant, type Outcome } from '../../core/errors.js';
import type { PoolEvent } from '../../core/log-events.js';
import { fromHex, upperHex } from '../../core/bytes/hex.js';
import { CheckedPool, type Admission, type ReadmittedTransaction } from '../../core/mempool/checked-pool.js';
import type { AlreadyVerified } from '../../core/mempool/checks.js';
import type { PoolTransaction } from '../../core/mempool/pool-transaction.js';
import type { RecentHashes } from '../../core/mempool/recent-hashes.js';
import { TransactionPool } from '../../core/mempool/transaction-pool.js';
import type { PendingTransaction } from '../../core/mempool/pending-transactions.js';
import type { Admitted, Dropped } from '../../streams/index.js';
import type { ExecutedBlock, MempoolPorts } from './ports.js';

/** An admitted transaction that is not in the log yet, and the transactions it displaced. */
export interface Reservation {
  readonly transaction: PoolTransaction;
  readonly displaced: readonly PoolTransaction[];
}

/** State of one instance of the mempool actor. */
export class PoolModel {
  readonly #ports: MempoolPorts;
  readonly transactions: TransactionPool;
  readonly pool: CheckedPool;
  /**
   * Admissions not yet confirmed by the log, by hash. They count for checks, nonces and blocks, but APIs do not show
   * them.
   */
  readonly #reserved = new Map<string, Reservation>();
  /** Hashes of dropped transactions not logged yet. */
  #unlogged: readonly Uint8Array[] = [];
  #appending = 0;

  /** `committed`: hashes of recently committed transactions; shared between instances, because it is not stored. */
  constructor(ports: MempoolPorts, committed: RecentHashes) {
    this.#ports = ports;
    this.transactions = new TransactionPool(ports.limits, committed);
    this.pool = new CheckedPool({
      pool: this.transactions,
      checks: ports.createChecks(),
      baseFee: ports.baseFee,
    });
  }

  /** True when no append is outstanding. */
  get quiet(): boolean {
    return this.#reserved.size === 0 && this.#appending === 0;
  }

  /** True when the admission of a pool transaction is logged. */
  isLogged(hash: string): boolean {
    return !this.#reserved.has(hash);
  }

  /** Loads the pending transactions from the log's fold. */
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

  /** Handles logged admissions. */
  admitted({ entries }: Admitted): void {
    const unknown = entries.filter(({ tx }) => !this.#confirm(this.#ports.hashOf(tx)));
    if (unknown.length === 0) return;
    // Admitted by a previous instance, which removed what they displaced.
    for (const { displaced } of unknown) this.#undoAdmission(displaced);
    this.pool.restore(
      this.#returning(unknown.map(({ tx, position }) => ({ hash: this.#ports.hashOf(tx), tx, position }))),
    );
  }

  /** Undoes an admission that the log refused; the transactions it displaced return. */
  refused(hash: string): void {
    const reservation = this.#reserved.get(hash);
    if (reservation === undefined) return;
    this.#reserved.delete(hash);
    const successor = [...this.#reserved.values()].find(({ displaced }) => displaced.some((one) => one.hash === hash));
    if (successor !== undefined) {
      // A later admission has displaced it already: that one inherits what it displaced.
      const displaced = [...successor.displaced, ...reservation.displaced];
      this.#reserved.set(successor.transaction.hash, { ...successor, displaced });
      return;
    }
    if (reservation.displaced.length === 0) return this.pool.undoAdmission(hash);
    this.pool.begin(this.#inOrder());
  }

  /** Handles logged drops, possibly by a previous instance. */
  dropped({ hashes }: Dropped): void {
    this.#undoAdmission(hashes);
  }

  executed({ execution }: ExecutedBlock): void {
    invariant(execution !== undefined, 'a block that is heard live has just been executed');
    this.pool.committed((execution.block.block.data?.txs ?? []).map((tx) => this.#ports.hashOf(tx)));
  }

  reverted(): void {
    this.#unlogged = [];
    this.pool.clear();
  }

  /**
   * The TxDropped event for transactions dropped since the last call; undefined when there are none. `dropsAppended`
   * must report its outcome.
   */
  takeDrops(): Extract<PoolEvent, { type: 'TxDropped' }> | undefined {
    const dropped = this.pool.takeDropped();
    if (dropped.length === 0 && this.#unlogged.length === 0) return undefined;
    const hashes = [...this.#unlogged, ...dropped.map(({ hash }) => fromHex(hash))];
    this.#unlogged = [];
    this.#appending += 1;
    return { type: 'TxDropped', v: 1, data: { hashes } };
  }

  /** Reports the outcome of appending drops; refused hashes are repeated in the next event. */
  dropsAppended(refused: readonly Uint8Array[]): void {
    this.#appending -= 1;
    this.#unlogged = [...this.#unlogged, ...refused];
  }

  /** Confirms a logged admission; false when another instance admitted it. */
  #confirm(hash: string): boolean {
    const reservation = this.#reserved.get(hash);
    if (reservation === undefined) return false;
    this.#reserved.delete(hash);
    // It inherited transactions displaced by a refused admission; its own event does not name them, so they are logged
    // as drops.
    const unnamed = reservation.displaced.filter(
      (one) => this.#ports.waiting.get(one.hash) !== undefined && !this.transactions.has(one.hash),
    );
    if (unnamed.length > 0) this.#unlogged = [...this.#unlogged, ...unnamed.map((one) => fromHex(one.hash))];
    return true;
  }

  #undoAdmission(hashes: readonly Uint8Array[]): void {
    for (const hash of hashes.map(upperHex)) if (this.transactions.has(hash)) this.pool.undoAdmission(hash);
  }

  /** All pool transactions in order of admission: logged ones, then unconfirmed ones. */
  #inOrder(): readonly ReadmittedTransaction[] {
    const reserved = [...this.#reserved.values()];
    const displaced = new Set(reserved.flatMap((one) => one.displaced.map(({ hash }) => hash)));
    return [
      ...this.#returning(this.#ports.waiting.all()),
      ...reserved.map(({ transaction: { hash, tx } }): ReadmittedTransaction => ({ hash, tx, verified: 'signatures' })),
    ].filter(({ hash }) => !displaced.has(hash));
  }

  #returning(entries: readonly PendingTransaction[]): readonly ReadmittedTransaction[] {
    const after = this.#ports.verifiedAfter();
    return entries.map(({ hash, tx, position }) => ({
      hash,
      tx,
      verified: after !== undefined && position > after ? 'signatures' : undefined,
    }));
  }
}
