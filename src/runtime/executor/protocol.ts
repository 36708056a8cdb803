import type { Decision } from '../../core/consensus/local-validators.js';
import type {
  FinalizeBlockRequest,
  FinalizeBlockResult,
  PrepareProposalRequest,
  PrepareProposalResult,
} from '../../core/application-requests.js';
import type { ChainState } from '../../core/chain/chain-state.js';
import type { Checked, StoreKey } from '../../core/multistore/check-values.js';
import type { Proved } from '../../core/multistore/store-proof.js';
import type { SnapshotCursor, SnapshotSlice } from '../../core/multistore/snapshot-slice.js';
import type { Height, TimeNs } from '../../core/primitives.js';
import type { StateWrite } from '../../core/state/state.js';
import type { FailedReply } from '../threads/failed-reply.js';
import type { ApplicationOptions } from './application-options.js';

/** Result of an executed block. */
export type Executed = Extract<FinalizeBlockResult, { kind: 'executed' }>;

/**
 * An empty block with at most this many writes is committed before its reply is sent: its results are not urgent, and
 * this saves a message. Other blocks are hashed while their batch is synced.
 */
export const HASHED_AT_ONCE = 64;

/** Start of a run of empty blocks: the head, and the key of the single validator. */
export interface RunStart {
  readonly head: ChainState;
  /** Ed25519 seed, 32 bytes. */
  readonly seed: Uint8Array;
}

export interface RunRequest {
  /** Undefined: continue the run of the previous request. */
  readonly start: RunStart | undefined;
  /** Largest number of blocks. */
  readonly blocks: number;
  /** Block clock at the time of the request. */
  readonly now: TimeNs;
}

/** A block of a run: decided, executed and committed to the trees. */
export interface MadeBlock {
  readonly decision: Decision;
  readonly result: Executed;
  readonly appHash: Uint8Array;
}

/** Requests to the executor; its replies are encoded by `src/runtime/executor/execution-codec.ts`. */
export type ExecutorRequest =
  | { readonly kind: 'open'; readonly options: ApplicationOptions; readonly location: string | undefined }
  | { readonly kind: 'genesis'; readonly writes: readonly StateWrite[] }
  /** Encodes the trees of this height (`Multistore.snapshotBytesOf`). */
  | { readonly kind: 'checkpoint'; readonly height: Height }
  | { readonly kind: 'restore'; readonly from: Uint8Array | Height }
  | { readonly kind: 'replay'; readonly height: Height; readonly writes: readonly StateWrite[] }
  | { readonly kind: 'execute'; readonly request: FinalizeBlockRequest }
  | { readonly kind: 'prepare'; readonly request: PrepareProposalRequest }
  /** Makes empty blocks (`src/runtime/executor/block-run.ts`). */
  | { readonly kind: 'run'; readonly request: RunRequest }
  /** The block with this hash was built from the prepared transactions. */
  | { readonly kind: 'finish'; readonly height: Height; readonly hash: Uint8Array }
  | { readonly kind: 'commit'; readonly height: Height }
  /** Compares values in the database with the trees (`Multistore.checkValues`). */
  | {
      readonly kind: 'check';
      readonly height: Height;
      readonly from: StoreKey | undefined;
      readonly count: number;
    }
  /** The next items of a snapshot (`Multistore.snapshotSlice`). */
  | {
      readonly kind: 'snapshot';
      readonly height: Height;
      readonly from: SnapshotCursor | undefined;
      readonly leaves: number;
    }
  /** Rolls back after the chain was reverted to this height. */
  | { readonly kind: 'rollback'; readonly height: Height }
  | { readonly kind: 'prove'; readonly store: string; readonly key: Uint8Array; readonly height: Height };

export type ExecutorReply =
  | { readonly kind: 'done' }
  /** Contains the app hash when the block is already committed, which saves a message. */
  | { readonly kind: 'executed'; readonly result: FinalizeBlockResult; readonly appHash: Uint8Array | undefined }
  /** In order; empty when there is no run to continue. */
  | { readonly kind: 'ran'; readonly blocks: readonly MadeBlock[] }
  | { readonly kind: 'prepared'; readonly result: PrepareProposalResult }
  /** Nothing is prepared for that height. */
  | { readonly kind: 'unprepared' }
  | { readonly kind: 'committed'; readonly appHash: Uint8Array }
  | { readonly kind: 'proof'; readonly proved: Proved }
  /** Undefined: the height is not in memory. */
  | { readonly kind: 'checkpoint'; readonly bytes: Uint8Array | undefined }
  /** Undefined: the height is not in memory. */
  | { readonly kind: 'checked'; readonly checked: Checked | undefined }
  /** Undefined: the height is not in memory. */
  | { readonly kind: 'sliced'; readonly slice: SnapshotSlice | undefined }
  /** Undefined: the bytes are damaged and nothing changed. */
  | { readonly kind: 'restored'; readonly appHash: Uint8Array | undefined }
  /** Undefined: the trees of that height are not in memory, and nothing changed. */
  | { readonly kind: 'rolled-back'; readonly appHash: Uint8Array | undefined }
  | FailedReply;
