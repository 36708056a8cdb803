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

/** The executor's answer to a block that it executed. */
export type Executed = Extract<FinalizeBlockResult, { kind: 'executed' }>;

/**
 * Largest number of writes for which an empty block is hashed before its answer is sent: its results are not urgent,
 * and this saves a message. Other blocks are hashed while their batches are synced.
 */
export const HASHED_AT_ONCE = 64;

/** The head after which a run of empty blocks begins, and the key of its only validator. */
export interface RunStart {
  readonly head: ChainState;
  /** 32 bytes of an ed25519 key. */
  readonly seed: Uint8Array;
}

export interface RunRequest {
  /** Undefined: after the last block of the request before. */
  readonly start: RunStart | undefined;
  /** Largest number of blocks. */
  readonly blocks: number;
  /** The clock of the blocks at the request. */
  readonly now: TimeNs;
}

/** A block that the executor made: decided, executed and committed to the trees. */
export interface MadeBlock {
  readonly decision: Decision;
  readonly result: Executed;
  readonly appHash: Uint8Array;
}

/** Requests of main to the executor, and their answers, which `src/runtime/executor/execution-codec.ts` encodes. */
export type ExecutorRequest =
  | { readonly kind: 'open'; readonly options: ApplicationOptions; readonly location: string | undefined }
  | { readonly kind: 'genesis'; readonly writes: readonly StateWrite[] }
  /** The trees of this height (`Multistore.snapshotBytesOf`). */
  | { readonly kind: 'checkpoint'; readonly height: Height }
  | { readonly kind: 'restore'; readonly from: Uint8Array | Height }
  | { readonly kind: 'replay'; readonly height: Height; readonly writes: readonly StateWrite[] }
  | { readonly kind: 'execute'; readonly request: FinalizeBlockRequest }
  | { readonly kind: 'prepare'; readonly request: PrepareProposalRequest }
  /** Makes empty blocks (`src/runtime/executor/block-run.ts`). */
  | { readonly kind: 'run'; readonly request: RunRequest }
  /** The prepared proposal of this height is the block with this hash. */
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
  /** The chain was reverted to this height. */
  | { readonly kind: 'rollback'; readonly height: Height }
  | { readonly kind: 'prove'; readonly store: string; readonly key: Uint8Array; readonly height: Height };

export type ExecutorReply =
  | { readonly kind: 'done' }
  /** With the app hash when it saves a second message; the block is then already committed. */
  | { readonly kind: 'executed'; readonly result: FinalizeBlockResult; readonly appHash: Uint8Array | undefined }
  /** In order; none when no run is there to go on with. */
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
