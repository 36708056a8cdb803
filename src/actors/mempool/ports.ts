import type { DomainError } from '../../core/errors.js';
import type { PoolEvent } from '../../core/log-events.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Checks } from '../../core/mempool/checks.js';
import type { PoolLimits } from '../../core/mempool/transaction-pool.js';
import type { PendingTransactions } from '../../core/mempool/pending-transactions.js';
import type { Position } from '../../core/primitives.js';
import type {
  Admitted,
  Dropped,
  Executed,
  ConsumerStream,
  Message,
  Signal,
  ChainReverted,
} from '../../streams/index.js';

/** The fields of `Executed` that the mempool needs. */
export interface ExecutedBlock extends Message {
  readonly type: Executed['type'];
  readonly execution:
    | { readonly block: { readonly block: { readonly data?: { readonly txs: readonly Uint8Array[] } | undefined } } }
    | undefined;
}

/** The messages about log records that the mempool handles. */
export type PoolRecord = Admitted | Dropped | ExecutedBlock | ChainReverted;

/** Admission mode. `waiting`: new transactions wait in the inbox, in order. `paused`: they are refused with `error`. */
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
  /** Creates a check state on top of the head's state. */
  readonly createChecks: () => Checks;
  /** Base fee of the next block, wei; 0 without a fee market. */
  readonly baseFee: () => bigint;
  /** Pending transactions according to the log; updated before the mempool handles the record. */
  readonly waiting: Pick<PendingTransactions, 'all' | 'get'>;
  /** Transactions admitted after this position have verified signatures; undefined: none have. */
  readonly verifiedAfter: () => Position | undefined;
  readonly stream: Pick<ConsumerStream<PoolRecord>, 'live'>;
  readonly mode: () => AdmissionMode;
  /** Signals that `mode` changed. */
  readonly modes: Signal<ModeChanged>['heard'];
  /**
   * Appends events. `written`: their record was published; `refused`: nothing was written. Rejects when the storage
   * failed and the outcome is unknown.
   */
  readonly append: (events: readonly PoolEvent[]) => Promise<AppendResult>;
  /** Emits the signal `available`: transactions are pending. */
  readonly signalAvailable: () => void;
  /** Resolves on a later turn of the event loop. */
  readonly turn: () => Promise<void>;
}
