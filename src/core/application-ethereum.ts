/** The application as the Ethereum face asks it. */
import type { BlockContext, FinalizeBlockRequest, QueryContext } from './application-requests.js';
import type { AccountWithCode } from './ethereum/account-state.js';
import type { AccessListResult, EstimateResult, EthereumCallResult } from './ethereum/api.js';
import type { CallSequence, SequenceStep, SequencedCalls } from './ethereum/call-sequence.js';
import type { EthereumBlockOverrides, EthereumCall } from './ethereum/call.js';
import type { SimulatedBlocks, Simulation } from './ethereum/simulation.js';
import type {
  AccountProof,
  ChangedAccount,
  DumpPart,
  PartStart,
  StatePart,
  StateTries,
  StorageSlot,
} from './ethereum/state-proof.js';
import type { EvmAccount, EvmOverride } from './evm/state.js';
import type { EvmFork } from './evm/transaction.js';
import type { EvmTrace } from './evm/outcome.js';
import type { ChangedRow, RowName, StateReader } from './state/state.js';

/**
 * Executions without lasting effects (`src/core/modules/evm/call.ts`). They can take long and are meant for worker
 * threads.
 */
export interface EthereumCalls {
  /** `gasCap`: the largest gas of the call; geth's 50,000,000 when absent. */
  call(
    state: StateReader,
    at: BlockContext,
    call: EthereumCall,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
    gasCap?: bigint,
  ): EthereumCallResult;
  /**
   * `budget`: gas for all attempts together, which bounds code whose gas does not depend on the limit; the result is
   * `timeout` when it is used up.
   */
  estimateGas(
    state: StateReader,
    at: BlockContext,
    call: EthereumCall,
    overrides: readonly EvmOverride[],
    block?: EthereumBlockOverrides,
    budget?: bigint,
  ): EstimateResult;
  createAccessList(
    state: StateReader,
    at: BlockContext,
    call: EthereumCall,
    overrides: readonly EvmOverride[],
  ): AccessListResult;
  traceCall(
    state: StateReader,
    at: BlockContext,
    call: EthereumCall,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
    options: string,
  ): EvmTrace;
  /**
   * Traces as `traceCall` does in the block that is executed anew over the state before it, before its transaction at
   * `index`.
   */
  traceCallWithin(
    before: StateReader,
    request: FinalizeBlockRequest,
    index: number,
    call: EthereumCall,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
    options: string,
  ): EvmTrace;
  /** At most `rows` rows of what Ethereum's tries of a state are made of, from `place` on. */
  statePart(state: StateReader, at: BlockContext, place: PartStart | undefined, rows: number): StatePart;
  /** The accounts whose rows blocks wrote, and others; undefined when each account may have changed. */
  changedAccounts(
    state: StateReader,
    at: BlockContext,
    written: readonly RowName[],
    others: readonly Uint8Array[],
  ): readonly ChangedAccount[] | undefined;
  /** The proof of an account and some of its slots, from the tries of the same state. */
  proof(
    state: StateReader,
    at: BlockContext,
    tries: StateTries,
    address: Uint8Array,
    slots: readonly Uint8Array[],
  ): AccountProof;
  /**
   * Executes the block over the state before it up to the transaction at `index`, excluded, and returns the slots of a
   * contract then. Yields after each transaction.
   */
  slotsAt(
    before: StateReader,
    block: FinalizeBlockRequest,
    index: number,
    address: Uint8Array,
  ): Generator<undefined, readonly StorageSlot[]>;
  /** Reads as `slotsAt` does the account and its code then. */
  accountAt(
    before: StateReader,
    block: FinalizeBlockRequest,
    index: number,
    address: Uint8Array,
  ): Generator<undefined, AccountWithCode>;
  /**
   * Executes as `slotsAt` does, then the transaction at `index`, and returns the rows that it changed, in order of
   * stores and keys. Those of the phases of the block are not among them.
   */
  changedBy(
    before: StateReader,
    block: FinalizeBlockRequest,
    index: number,
  ): Generator<undefined, readonly ChangedRow[]>;
  /** `eth_simulateV1`; yields after each call, so that the caller may stop between any two. */
  simulate(state: StateReader, at: BlockContext, simulation: Simulation): Generator<undefined, SimulatedBlocks>;
  /** Calls one after another; yields each trace and each call, so that the caller may stop there. */
  sequenceCalls(state: StateReader, at: BlockContext, sequence: CallSequence): Generator<SequenceStep, SequencedCalls>;
  /**
   * Executes the block over the state before it up to the last of `indices` (ascending), and traces the transactions at
   * `indices`. Yields after each transaction, with undefined for one that is not traced, so that the caller may stop
   * between any two.
   */
  traceTransactions(
    before: StateReader,
    block: FinalizeBlockRequest,
    indices: readonly number[],
    options: string,
  ): Iterable<EvmTrace | undefined>;
}

/** Single facts of the EVM-visible state; addresses have 20 bytes, slots and words 32. */
export interface EthereumReads {
  /** The newest fork of Ethereum whose rules hold. */
  readonly fork: EvmFork;
  /** Lowest tip that is suggested to senders, wei. */
  readonly leastTip: bigint;
  account(state: StateReader, at: QueryContext, address: Uint8Array): EvmAccount;
  code(state: StateReader, at: QueryContext, address: Uint8Array): Uint8Array;
  /** The code with this keccak256 hash; undefined where no account has had it. */
  codeOf(state: StateReader, at: QueryContext, hash: Uint8Array): Uint8Array | undefined;
  storage(state: StateReader, at: QueryContext, address: Uint8Array, slot: Uint8Array): Uint8Array;
  /** At most `rows` rows of every account that exists to the EVM, from `place` on. */
  dumpPart(state: StateReader, at: QueryContext, place: PartStart | undefined, rows: number): DumpPart;
  /** Base fee with which admission compares prices, wei: that of the head, or one that was set for the next block. */
  admissionBaseFee(state: StateReader, at: QueryContext): bigint;
  /** Base fee of the block after this state, wei. */
  nextBaseFee(state: StateReader, at: QueryContext): bigint;
  /** Lowest gas price, base fee included, that the fee market accepts, wei. */
  minGasPrice(state: StateReader, at: QueryContext): bigint;
}
