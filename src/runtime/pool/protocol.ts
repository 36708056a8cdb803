import type {
  BlockContext,
  FinalizeBlockRequest,
  PrepareProposalRequest,
  QueryResult,
  SimulateResult,
} from '../../core/application-requests.js';
import type { AccessListResult, EthereumCallResult, EstimateResult, TracePart } from '../../core/ethereum/api.js';
import type { EthereumBlockOverrides, EthereumCall } from '../../core/ethereum/call.js';
import type { AccountWithCode } from '../../core/ethereum/account-state.js';
import type { CallSequence, CallSequenceResult } from '../../core/ethereum/call-sequence.js';
import type { AccountProof, StorageSlot } from '../../core/ethereum/state-proof.js';
import type { Simulation, SimulationResult } from '../../core/ethereum/simulation.js';
import type { EvmOverride } from '../../core/evm/state.js';
import type { EvmTrace } from '../../core/evm/outcome.js';
import type { Outcome } from '../../core/node-api.js';
import type { Height } from '../../core/primitives.js';
import type { ChangedRow } from '../../core/state/state.js';
import type { ApplicationOptions } from '../executor/application-options.js';
import type { FailedReply } from '../threads/failed-reply.js';

/** Memory shared between a pool thread and the main thread: flow control of trace parts, and the range gate. */
export interface PoolThreadData {
  readonly flow: SharedArrayBuffer;
  readonly gate: SharedArrayBuffer;
}

/** Tasks that return traces. */
export type TraceTask = Extract<PoolTask, { readonly kind: 'trace-call' | 'trace-transactions' }>;

interface CallTask {
  readonly call: EthereumCall;
  readonly overrides: readonly EvmOverride[];
  readonly block: EthereumBlockOverrides;
}

/** Work on the state of one height that is too heavy for the main thread. */
export type PoolTask =
  | ({ readonly kind: 'call' } & CallTask)
  | ({ readonly kind: 'estimate' } & CallTask)
  | { readonly kind: 'access-list'; readonly call: EthereumCall; readonly overrides: readonly EvmOverride[] }
  | {
      readonly kind: 'trace-call';
      /**
       * Runs the call inside this block, before its transaction at `index`; the context is then the state before the
       * block.
       */
      readonly within: { readonly block: FinalizeBlockRequest; readonly index: number } | undefined;
      readonly call: EthereumCall;
      readonly overrides: readonly EvmOverride[];
      readonly block: EthereumBlockOverrides;
      readonly options: string;
      readonly maxBytes: number;
    }
  | { readonly kind: 'eth-proof'; readonly address: Uint8Array; readonly slots: readonly Uint8Array[] }
  /** Storage slots of a contract before the transaction at `index` of the context's block. */
  | {
      readonly kind: 'eth-slots';
      readonly block: FinalizeBlockRequest;
      readonly index: number;
      readonly address: Uint8Array;
    }
  /** The account before the transaction at `index` of the context's block, or after its last one. */
  | {
      readonly kind: 'eth-account';
      readonly block: FinalizeBlockRequest;
      readonly index: number;
      readonly address: Uint8Array;
    }
  /** State rows changed by the transaction at `index` of the context's block. */
  | { readonly kind: 'changed-rows'; readonly block: FinalizeBlockRequest; readonly index: number }
  | { readonly kind: 'eth-calls'; readonly sequence: CallSequence; readonly maxBytes: number }
  | { readonly kind: 'eth-simulate'; readonly simulation: Simulation; readonly maxBytes: number }
  /** Executes the context's block on the state before it, and traces the transactions at `indices` (ascending). */
  | {
      readonly kind: 'trace-transactions';
      readonly block: FinalizeBlockRequest;
      readonly indices: readonly number[];
      readonly options: string;
      readonly maxBytes: number;
    }
  /**
   * Executes the block after the context's, with as many transactions as fit into `milliseconds`, and discards its
   * effects.
   */
  | { readonly kind: 'next-block'; readonly block: PrepareProposalRequest; readonly milliseconds: number }
  /** A gRPC query that runs the EVM. */
  | { readonly kind: 'query'; readonly path: string; readonly data: Uint8Array }
  /** A gRPC query that reads many rows. */
  | { readonly kind: 'list'; readonly path: string; readonly data: Uint8Array }
  | { readonly kind: 'simulate'; readonly tx: Uint8Array };

/** Value type of each kind of task. */
export interface PoolValues {
  readonly call: EthereumCallResult;
  readonly estimate: EstimateResult;
  readonly 'access-list': AccessListResult;
  /** One trace; undefined when it exceeds `maxBytes`. */
  readonly 'trace-call': readonly EvmTrace[] | undefined;
  readonly 'eth-proof': AccountProof;
  readonly 'eth-slots': readonly StorageSlot[];
  readonly 'eth-account': AccountWithCode;
  readonly 'changed-rows': readonly ChangedRow[];
  /** Undefined when the outputs (as hex) and traces exceed `maxBytes` together. */
  readonly 'eth-calls': CallSequenceResult | undefined;
  readonly 'eth-simulate': SimulationResult;
  /** Undefined when they exceed `maxBytes` together. */
  readonly 'trace-transactions': readonly EvmTrace[] | undefined;
  /** Undefined when an upgrade is due that this build cannot apply. */
  readonly 'next-block': NextBlock | undefined;
  readonly query: QueryResult;
  readonly list: QueryResult;
  readonly simulate: SimulateResult;
}

/** A block that was executed but not decided. */
export interface NextBlock {
  /** Indices of its transactions in the request. */
  readonly taken: readonly number[];
  /** Encoded results (`EncodedResults`). */
  readonly results: Uint8Array;
  /** Encoded writes (`packWrites`). */
  readonly writes: Uint8Array;
}

/** A state that is not in the database: writes (encoded by `packWrites`) on top of the state at `base`. */
export interface ChangedState {
  readonly base: Height;
  readonly writes: Uint8Array;
}

export type PoolRequest =
  | { readonly kind: 'open'; readonly options: ApplicationOptions; readonly location: string }
  | {
      readonly kind: 'run';
      readonly task: PoolTask;
      readonly context: BlockContext;
      readonly milliseconds: number;
      /** Replaces the state of the context's block; without `writes`, those of the previous request are used. */
      readonly changed?: { readonly base: Height; readonly writes: Uint8Array | undefined };
      /** Sends traces in parts, ignoring `maxBytes`; the task's value is then empty. */
      readonly inParts?: true;
    };

export type PoolReply =
  | { readonly kind: 'opened' }
  | { readonly kind: 'part'; readonly part: TracePart }
  | { readonly kind: 'value'; readonly value: Outcome<PoolValues[PoolTask['kind']]> }
  /** The time was up; the task has no effect. */
  | { readonly kind: 'interrupted' }
  | FailedReply;
