import { upperHex } from '../bytes/hex.js';
import type { Position } from '../primitives.js';

/** A transaction that waits for a block, as the log has it. */
export interface WaitingTransaction {
  /** Position of its TxAdmitted. */
  readonly position: Position;
  /** Uppercase hex of the consensus hash. */
  readonly hash: string;
  readonly tx: Uint8Array;
}

/** An admission as the log has it. */
export interface LoggedAdmission extends Omit<WaitingTransaction, 'hash'> {
  /** sha256 of each transaction that left the pool for it. */
  readonly displaced: readonly Uint8Array[];
}

/**
 * The transactions that wait for a block, folded from the log. TxAdmitted adds a transaction and removes those that
 * left for it; TxDropped removes those that are no longer valid; an executed block removes its own transactions;
 * Reverted removes all.
 */
export class PendingTransactions {
  readonly #hashOf: (tx: Uint8Array) => string;
  /** In order of admission. */
  readonly #waiting = new Map<string, WaitingTransaction>();

  /** `hashOf`: uppercase hex of the consensus hash. */
  constructor(hashOf: (tx: Uint8Array) => string) {
    this.#hashOf = hashOf;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get(hash: string): WaitingTransaction | undefined {
    return this.#waiting.get(hash);
  }

  /** In order of admission. */
  all(): readonly WaitingTransaction[] {
    return [...this.#waiting.values()];
  }

  /** The log has an admission. */
  admitted({ position, tx, displaced }: LoggedAdmission): void {
    this.dropped(displaced);
    const hash = this.#hashOf(tx);
    this.#waiting.delete(hash);
    this.#waiting.set(hash, { position, hash, tx });
  }

  /** `hashes`: sha256 of each transaction. */
  dropped(hashes: readonly Uint8Array[]): void {
    for (const hash of hashes) this.#waiting.delete(upperHex(hash));
  }

  /** A block with `txs` was executed. */
  executed(txs: readonly Uint8Array[]): void {
    for (const tx of txs) this.#waiting.delete(this.#hashOf(tx));
  }

  /** The chain was reverted: what was committed may be sent again, and what waited is forgotten. */
  reverted(): void {
    this.#waiting.clear();
  }
}
