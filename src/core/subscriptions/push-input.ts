/**
 * Inputs that are matched with subscriptions. Values are computed once, and only when a subscription may need them.
 */
import type { ConsensusEvent } from '../comet/websocket-events.js';
import type { EthereumPendingTransaction } from '../ethereum/api.js';
import type { EthereumBlock, EthereumBlockTransaction, EthereumLog, LoggedBlock } from '../ethereum/block-view.js';
import type { Height, Position } from '../primitives.js';

/** A published commit, or the admission of one transaction. */
export type PushInput = ShownCommit | ShownAdmission;

export interface ShownCommit {
  readonly kind: 'commits';
  /** Increases from commit to commit; subscribers resume after it. */
  readonly position: Position;
  /** Events of the consensus face, in order. */
  events(): readonly ConsensusEvent[];
  /** Undefined when the commit has no block (a decision that an upgrade halts) or the chain has no EVM. */
  block(): EthereumBlock | undefined;
  /** Reverted blocks (dev mode), newest first; absent for an ordinary commit. */
  removed?(): readonly LoggedBlock[];
}

export interface ShownAdmission {
  readonly kind: 'admissions';
  /** Increases from admission to admission. */
  readonly position: Position;
  /** Undefined when the transaction wraps no Ethereum transaction. */
  transaction(): EthereumPendingTransaction | undefined;
}

/** One notification of an input. `index` counts items of the same kind in the input. */
export type PushItem =
  | { readonly kind: 'event'; readonly index: number; readonly event: ConsensusEvent }
  | { readonly kind: 'head'; readonly index: 0; readonly block: EthereumBlock }
  | {
      readonly kind: 'log';
      readonly index: number;
      readonly log: EthereumLog;
      readonly transaction: EthereumBlockTransaction;
      readonly block: LoggedBlock;
      /** Set when the log's block was reverted. */
      readonly isRemoved?: true;
    }
  | {
      readonly kind: 'receipts';
      readonly index: 0;
      readonly transactions: readonly EthereumBlockTransaction[];
      readonly block: EthereumBlock;
    }
  | { readonly kind: 'pending'; readonly index: 0; readonly transaction: EthereumPendingTransaction };

/** Start of a replay: after a log position, or at the block of a height. */
export type ReplayStart = { readonly after: Position } | { readonly height: Height };
