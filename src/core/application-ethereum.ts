/** The part of the application that Ethereum JSON-RPC uses. */
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
 * Executions without persistent effects (`src/core/modules/evm/call.ts`). They can take long and run on worker
 * threads.
 */
export interface EthereumCalls {
  /** Executes a call. `gasCap`: maximum gas; geth's 50,000,000 when absent. */
  call(
    state: StateReader,
    at: BlockContext,
    call: EthereumCall,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
    gasCap?: bigint,
  ): EthereumCallResult;
  /**
   * Estimates gas. `budget`: total gas of all attempts, which bounds code whose gas use does not depend on the limit;
   * the result is `timeout` when it is used up.
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
   * Traces a call inside a block: re-executes the block on its parent state up to the transaction at `index`
   * (exclusive), then traces like `traceCall`.
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
  /** Reads at most `rows` rows that Ethereum's state tries are built from, starting at `place`. */
  statePart(state: StateReader, at: BlockContext, place: PartStart | undefined, rows: number): StatePart;
  /** Accounts whose rows changed between blocks; undefined when any account may have changed. */
  changedAccounts(
    state: StateReader,
    at: BlockContext,
    written: readonly RowName[],
    others: readonly Uint8Array[],
  ): readonly ChangedAccount[] | undefined;
  /** Proof of an account and some of its slots from the tries of one state. */
  proof(
    state: StateReader,
    at: BlockContext,
    tries: StateTries,
    address: Uint8Array,
    slots: readonly Uint8Array[],
  ): AccountProof;
  /**
   * Re-executes a block on its parent state up to the transaction at `index` (exclusive) and returns a contract's
   * slots at that point. Yields after each transaction.
   */
  slotsAt(
    before: StateReader,
    block: FinalizeBlockRequest,
    index: number,
    address: Uint8Array,
  ): Generator<undefined, readonly StorageSlot[]>;
  /** Re-executes like `slotsAt` and returns the account and its code at that point. */
  accountAt(
    before: StateReader,
    block: FinalizeBlockRequest,
    index: number,
    address: Uint8Array,
  ): Generator<undefined, AccountWithCode>;
  /**
   * Re-executes like `slotsAt`, then executes the transaction at `index` and returns the rows that it changed,
   * ordered by store and key. Changes by begin and end block are excluded.
   */
  changedBy(
    before: StateReader,
    block: FinalizeBlockRequest,
    index: number,
  ): Generator<undefined, readonly ChangedRow[]>;
  /** Executes `eth_simulateV1`; yields after each call, so that the caller may stop between calls. */
  simulate(state: StateReader, at: BlockContext, simulation: Simulation): Generator<undefined, SimulatedBlocks>;
  /** Executes calls one after another; yields each trace and each call, so that the caller may stop there. */
  sequenceCalls(state: StateReader, at: BlockContext, sequence: CallSequence): Generator<SequenceStep, SequencedCalls>;
  /**
   * Re-executes a block on its parent state up to the last of `indices` (ascending), and traces the transactions at
   * `indices`. Yields after each transaction (undefined when not traced), so that the caller may stop between them.
   */
  traceTransactions(
    before: StateReader,
    block: FinalizeBlockRequest,
    indices: readonly number[],
    options: string,
  ): Iterable<EvmTrace | undefined>;
}

/** Reads of the EVM-visible state; addresses have 20 bytes, slots and words 32. */
export interface EthereumReads {
  /** Active Ethereum fork. */
  readonly fork: EvmFork;
  /** Lowest priority fee that gas price suggestions return, wei. */
  readonly minTip: bigint;
  account(state: StateReader, at: QueryContext, address: Uint8Array): EvmAccount;
  code(state: StateReader, at: QueryContext, address: Uint8Array): Uint8Array;
  /** Code with this keccak256 hash; undefined when no account ever had it. */
  codeOf(state: StateReader, at: QueryContext, hash: Uint8Array): Uint8Array | undefined;
  storage(state: StateReader, at: QueryContext, address: Uint8Array, slot: Uint8Array): Uint8Array;
  /** Reads at most `rows` rows of the accounts that exist in the EVM, starting at `place`. */
  dumpPart(state: StateReader, at: QueryContext, place: PartStart | undefined, rows: number): DumpPart;
  /** Base fee against which admission checks prices, in wei: the head's, or the one set for the next block. */
  admissionBaseFee(state: StateReader, at: QueryContext): bigint;
  /** Base fee of the block after this state, in wei. */
  nextBaseFee(state: StateReader, at: QueryContext): bigint;
  /** Lowest gas price, base fee included, that the fee market accepts, in wei. */
  minGasPrice(state: StateReader, at: QueryContext): bigint;
}
