import type { DomainError } from '../../core/errors.js';
import type { PoolEvent } from '../../core/log-events.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Checks } from '../../core/mempool/checks.js';
import type { PoolLimits } from '../../core/mempool/transaction-pool.js';
import type { PendingTransactions } from '../../core/mempool/pending-transactions.js';
import type { Position } from '../../core/primitives.js';
import type { Admitted, Dropped, Executed, Hearing, Message, Signal, ChainReverted } from '../../streams/index.js';

/** The fields of `Executed` that the mempool needs. */
export interface ExecutedBlock extends Message {
  readonly type: Executed['type'];
  readonly execution:
    | { readonly block: { readonly block: { readonly data?: { readonly txs: readonly Uint8Array[] } | undefined } } }
    | undefined;
}

/** The records of the log that the mempool hears. */
export type PoolRecord = Admitted | Dropped | ExecutedBlock | ChainReverted;

/**
 * Tells whether transactions are admitted. Those that come while it is `waiting` wait in the inbox, in their order;
 * `error` is the answer to those that come while it is paused.
 */
export type AdmissionMode =
  | { readonly kind: 'open' | 'waiting' }
  | { readonly kind: 'paused'; readonly error: DomainError };

export interface ModeChanged {
  readonly type: 'modeChanged';
}

/** The outcome of an append to the log. */
export type AppendResult = 'written' | 'refused';

export interface MempoolPorts {
  readonly limits: PoolLimits & Pick<Limits, 'actorInbox' | 'mempoolRecheckStep'>;
  /** Uppercase hex of the consensus hash. */
  readonly hashOf: (tx: Uint8Array) => string;
  /** A new check state over the state after the head. */
  readonly createChecks: () => Checks;
  /** Base fee of the next block, wei; 0 without a fee market. */
  readonly baseFee: () => bigint;
  /** The waiting transactions as the log has them; a record is applied here before the mempool hears of it. */
  readonly waiting: Pick<PendingTransactions, 'all' | 'get'>;
  /** Signatures of what was admitted after this position need no second check; undefined: of nothing. */
  readonly verifiedAfter: () => Position | undefined;
  readonly hearing: Pick<Hearing<PoolRecord>, 'live'>;
  readonly mode: () => AdmissionMode;
  /** The signal that `mode` changed. */
  readonly modes: Signal<ModeChanged>['heard'];
  /**
   * Appends events. `written`: their record was shown to all hearers; `refused`: nothing was written. Rejects when the
   * storage failed and the outcome is unknown.
   */
  readonly append: (events: readonly PoolEvent[]) => Promise<AppendResult>;
  /** The signal `available`: a transaction waits for a block. */
  readonly signalAvailable: () => void;
  /** Resolves on a later turn of the event loop. */
  readonly turn: () => Promise<void>;
}
