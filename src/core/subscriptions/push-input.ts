/**
 * The inputs that subscriptions are matched against. Values are made once, and only when a subscription may want them.
 */
import type { ConsensusEvent } from '../websocket-events.js';
import type { EthereumPendingTransaction } from '../ethereum/api.js';
import type { EthereumBlock, EthereumBlockTransaction, EthereumLog, LoggedBlock } from '../ethereum/block-view.js';
import type { Height, Position } from '../primitives.js';

/** Something that was shown: a commit, or the admission of one transaction. */
export type PushInput = ShownCommit | ShownAdmission;

export interface ShownCommit {
  readonly lane: 'commits';
  /** Grows from commit to commit; a subscriber resumes after it. */
  readonly position: Position;
  /** The events of the consensus face, in order. */
  events(): readonly ConsensusEvent[];
  /** Undefined where the commit brings no block (a decision that an upgrade halts) or the chain has no EVM. */
  block(): EthereumBlock | undefined;
  /** Blocks that were reverted (dev mode), newest first; absent for a commit. */
  removed?(): readonly LoggedBlock[];
}

export interface ShownAdmission {
  readonly lane: 'admissions';
  /** Grows from admission to admission. */
  readonly position: Position;
  /** Undefined for a transaction that wraps no Ethereum transaction. */
  transaction(): EthereumPendingTransaction | undefined;
}

/** The part of an input that is one notification. `index` is its place among those of its kind in the input. */
export type PushItem =
  | { readonly kind: 'event'; readonly index: number; readonly event: ConsensusEvent }
  | { readonly kind: 'head'; readonly index: 0; readonly block: EthereumBlock }
  | {
      readonly kind: 'log';
      readonly index: number;
      readonly log: EthereumLog;
      readonly transaction: EthereumBlockTransaction;
      readonly block: LoggedBlock;
      /** Its block was reverted. */
      readonly isRemoved?: true;
    }
  | {
      readonly kind: 'receipts';
      readonly index: 0;
      readonly transactions: readonly EthereumBlockTransaction[];
      readonly block: EthereumBlock;
    }
  | { readonly kind: 'pending'; readonly index: 0; readonly transaction: EthereumPendingTransaction };

/** The start of a replay: after a position, or at the block of a height. */
export type ReplayStart = { readonly after: Position } | { readonly height: Height };
