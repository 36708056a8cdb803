import type { PoolTransaction } from './pool-transaction.js';

/** `pending`: can be in the next block; `queued`: waits for a lower nonce. */
export type PoolPlace = 'pending' | 'queued';

/** A transaction in the pool. */
export interface PoolEntry {
  readonly transaction: PoolTransaction;
  readonly place: PoolPlace;
  /** Sequence number of its admission. */
  readonly arrival: number;
}
