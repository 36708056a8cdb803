import type { EthereumPendingTransaction } from '../../core/ethereum/api.js';
import type { Position } from '../../core/primitives.js';

export type AdmissionListener = (transaction: EthereumPendingTransaction, position: Position) => void;

/** Reports every Ethereum transaction to its listeners when the admission is in the log, in log order. */
export class AdmissionFeed {
  readonly #listeners = new Set<AdmissionListener>();

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  publish(transaction: EthereumPendingTransaction, position: Position): void {
    for (const listener of [...this.#listeners]) listener(transaction, position);
  }

  listen(listener: AdmissionListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
