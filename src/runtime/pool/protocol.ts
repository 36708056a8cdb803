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

/** Memory that a thread of the pool shares with the main thread: its flow of parts, and the gate of its ranges. */
export interface PoolThreadData {
  readonly flow: SharedArrayBuffer;
  readonly gate: SharedArrayBuffer;
}

/** Tasks whose values are traces. */
export type TraceTask = Extract<PoolTask, { readonly kind: 'trace-call' | 'trace-transactions' }>;

interface CallTask {
  readonly call: EthereumCall;
  readonly overrides: readonly EvmOverride[];
  readonly block: EthereumBlockOverrides;
}

/** Work over one version of the state that is too heavy for the main thread. */
export type PoolTask =
  | ({ readonly kind: 'call' } & CallTask)
  | ({ readonly kind: 'estimate' } & CallTask)
  | { readonly kind: 'access-list'; readonly call: EthereumCall; readonly overrides: readonly EvmOverride[] }
  | {
      readonly kind: 'trace-call';
      /** The call runs within this block, before its transaction at `index`; the context is the state before it. */
      readonly within: { readonly block: FinalizeBlockRequest; readonly index: number } | undefined;
      readonly call: EthereumCall;
      readonly overrides: readonly EvmOverride[];
      readonly block: EthereumBlockOverrides;
      readonly options: string;
      readonly maxBytes: number;
    }
  | { readonly kind: 'eth-proof'; readonly address: Uint8Array; readonly slots: readonly Uint8Array[] }
  /** The slots of a contract before the transaction at `index` of the block of the context. */
  | {
      readonly kind: 'eth-slots';
      readonly block: FinalizeBlockRequest;
      readonly index: number;
      readonly address: Uint8Array;
    }
  /** The account before the transaction at `index` of the block of the context, or after its last one. */
  | {
      readonly kind: 'eth-account';
      readonly block: FinalizeBlockRequest;
      readonly index: number;
      readonly address: Uint8Array;
    }
  /** The rows that the transaction at `index` of the block of the context changed. */
  | { readonly kind: 'changed-rows'; readonly block: FinalizeBlockRequest; readonly index: number }
  | { readonly kind: 'eth-calls'; readonly sequence: CallSequence; readonly maxBytes: number }
  | { readonly kind: 'eth-simulate'; readonly simulation: Simulation; readonly maxBytes: number }
  /** Executes the block of the context on the state before it, and traces the transactions at `indices`, ascending. */
  | {
      readonly kind: 'trace-transactions';
      readonly block: FinalizeBlockRequest;
      readonly indices: readonly number[];
      readonly options: string;
      readonly maxBytes: number;
    }
  /**
   * Executes the block after that of the context, with as many of its transactions as fit in so many milliseconds;
   * nothing of it is kept.
   */
  | { readonly kind: 'next-block'; readonly block: PrepareProposalRequest; readonly milliseconds: number }
  /** A query by its gRPC path that runs the EVM. */
  | { readonly kind: 'query'; readonly path: string; readonly data: Uint8Array }
  /** A query by its gRPC path that reads many rows. */
  | { readonly kind: 'list'; readonly path: string; readonly data: Uint8Array }
  | { readonly kind: 'simulate'; readonly tx: Uint8Array };

/** The result of each kind of task. */
export interface PoolValues {
  readonly call: EthereumCallResult;
  readonly estimate: EstimateResult;
  readonly 'access-list': AccessListResult;
  /** One trace; undefined when it is longer than `maxBytes`. */
  readonly 'trace-call': readonly EvmTrace[] | undefined;
  readonly 'eth-proof': AccountProof;
  readonly 'eth-slots': readonly StorageSlot[];
  readonly 'eth-account': AccountWithCode;
  readonly 'changed-rows': readonly ChangedRow[];
  /** undefined when the outputs, as hex, and the traces are longer than `maxBytes` together. */
  readonly 'eth-calls': CallSequenceResult | undefined;
  readonly 'eth-simulate': SimulationResult;
  /** undefined when they are longer than `maxBytes` together. */
  readonly 'trace-transactions': readonly EvmTrace[] | undefined;
  /** undefined when an upgrade is due that this build cannot apply. */
  readonly 'next-block': NextBlock | undefined;
  readonly query: QueryResult;
  readonly list: QueryResult;
  readonly simulate: SimulateResult;
}

/** A block that was executed and not decided. */
export interface NextBlock {
  /** Places of its transactions among those of the request. */
  readonly taken: readonly number[];
  /** Bytes of `EncodedResults`. */
  readonly results: Uint8Array;
  /** Its writes as `packWrites` packs them. */
  readonly writes: Uint8Array;
}

/** A state that is not in the database: writes, as `packWrites` packs them, over the state after a block. */
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
      /** The state in place of that after the block of the context; without `writes` those of the request before. */
      readonly changed?: { readonly base: Height; readonly writes: Uint8Array | undefined };
      /** The traces of the task are sent in parts, whatever `maxBytes` says, and its value is empty. */
      readonly inParts?: true;
    };

export type PoolReply =
  | { readonly kind: 'opened' }
  | { readonly kind: 'part'; readonly part: TracePart }
  | { readonly kind: 'value'; readonly value: Outcome<PoolValues[PoolTask['kind']]> }
  /** The time was over; nothing of the task remains. */
  | { readonly kind: 'interrupted' }
  | FailedReply;
