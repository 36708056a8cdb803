import { upperHex } from '../bytes/hex.js';
import type { Position } from '../primitives.js';

/** A pending transaction according to the log. */
export interface PendingTransaction {
  /** Position of its TxAdmitted. */
  readonly position: Position;
  /** Uppercase hex of the consensus hash. */
  readonly hash: string;
  readonly tx: Uint8Array;
}

/** A logged admission. */
export interface LoggedAdmission extends Omit<PendingTransaction, 'hash'> {
  /** SHA-256 of each transaction that left the pool for it. */
  readonly displaced: readonly Uint8Array[];
}

/**
 * Pending and queued transactions, folded from the log: TxAdmitted adds a transaction and removes those it displaced;
 * TxDropped removes invalid ones; an executed block removes its own; Reverted removes all.
 */
export class PendingTransactions {
  readonly #hashOf: (tx: Uint8Array) => string;
  /** In order of admission. */
  readonly #waiting = new Map<string, PendingTransaction>();

  /** `hashOf`: uppercase hex of the consensus hash. */
  constructor(hashOf: (tx: Uint8Array) => string) {
    this.#hashOf = hashOf;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get(hash: string): PendingTransaction | undefined {
    return this.#waiting.get(hash);
  }

  /** In order of admission. */
  all(): readonly PendingTransaction[] {
    return [...this.#waiting.values()];
  }

  /** Applies a logged admission. */
  admitted({ position, tx, displaced }: LoggedAdmission): void {
    this.dropped(displaced);
    const hash = this.#hashOf(tx);
    this.#waiting.delete(hash);
    this.#waiting.set(hash, { position, hash, tx });
  }

  /** Applies a TxDropped. `hashes`: SHA-256 of each transaction. */
  dropped(hashes: readonly Uint8Array[]): void {
    for (const hash of hashes) this.#waiting.delete(upperHex(hash));
  }

  /** Removes the transactions of an executed block. */
  executed(txs: readonly Uint8Array[]): void {
    for (const tx of txs) this.#waiting.delete(this.#hashOf(tx));
  }

  /** Clears everything after a revert. */
  reverted(): void {
    this.#waiting.clear();
  }
}
