import type { Touched } from './evm/touched.js';
import type { EncodedResults } from './comet/encoded-results.js';
import type { ExecTxResult, ResponseCheckTx, ValidatorUpdate } from './proto/tendermint/abci/types_pb.js';
import type { ConsensusParams } from './proto/tendermint/types/params_pb.js';
import type { AccountWithCode } from './ethereum/account-state.js';
import type { AccessListResult, EstimateResult, EthereumCallResult } from './ethereum/api.js';
import type { EthereumBlockOverrides, EthereumCall } from './ethereum/call.js';
import type {
  AccountProof,
  ChangedAccount,
  DumpPart,
  PartPlace,
  StatePart,
  StateTries,
  StorageSlot,
} from './ethereum/state-proof.js';
import type { CallSequence, SequencedCalls, SequenceStep } from './ethereum/call-sequence.js';
import type { SimulatedBlocks, Simulation } from './ethereum/simulation.js';
import type { EvmAccount, EvmFork, EvmOverride, EvmTrace } from './evm/engine.js';
import type { AccountNonce, PoolTransaction } from './mempool/pool-transaction.js';
import type { Height, TimeNs } from './primitives.js';
import type { ChangedRow, RowName, StateReader, StateWrite } from './state/state.js';

/**
 * The application in ABCI 2.0 terms, as pure functions from a version of the state to results and writes (CometBFT
 * spec, abci/abci++_methods). It owns no state: its callers (the executor, mempool admission, queries, replay) supply
 * the reader and store the writes. It does not know how the state is hashed or stored.
 */
export interface Application {
  /** Builds the first state from `app_state` of a validated genesis. */
  initChain(request: InitChainRequest): InitChainResult;
  /**
   * Checks one transaction against the check state (mempool admission); reads single keys only. With `verified` its
   * signatures count as checked, by an earlier check of the same bytes after the first block.
   */
  checkTx(checkState: CheckState, tx: Uint8Array, verified?: boolean): ResponseCheckTx;
  /** The facts that order a transaction in the mempool; undefined when its bytes cannot be decoded. */
  describe(tx: Uint8Array): Omit<PoolTransaction, 'hash'> | undefined;
  /**
   * Checks as `checkTx` does a transaction whose sender must send others first: every rule but the nonce's, without
   * effects. `replaced` is an Ethereum transaction of the same sender and nonce, whose effects are left out: the
   * transaction to be replaced, or one that replaces it.
   */
  checkQueued(
    checkState: CheckState,
    tx: Uint8Array,
    sender: AccountNonce,
    verified?: boolean,
    replaced?: Uint8Array,
  ): ResponseCheckTx;
  /**
   * Checks as `checkTx` does each in turn: waiting Ethereum transactions of one sender in order of nonces, which passed
   * an earlier check. True for each one that passes again; the effects of those are kept. `sender` is lower-case hex.
   */
  recheck(checkState: CheckState, sender: string, txs: readonly Uint8Array[]): readonly boolean[];
  /** The nonce (sequence) of an account's next transaction. `address` is lower-case hex. */
  nextNonce(checkState: CheckState, address: string): bigint;
  /** Executes a decided block. Deterministic: no clock, no randomness. */
  finalizeBlock(state: StateReader, request: FinalizeBlockRequest): FinalizeBlockResult;
  /**
   * Executes the transactions of a proposal whose hash is not known yet, as many of `txs` as fit the gas limit of the
   * block: each is executed when the gas left is at least its gas limit, and the first that does not fit ends the
   * block. Once `isLate` is true, no further one is taken.
   */
  prepareProposal(state: StateReader, request: PrepareProposalRequest, isLate?: () => boolean): PrepareProposalResult;
  /**
   * Ends the execution of the proposal that was prepared last, as `finalizeBlock` of the block with its transactions
   * would. Undefined when none is prepared for this height, or when a block was executed since.
   */
  finalizePrepared(height: Height, hash: Uint8Array): FinalizeBlockResult | undefined;
  /**
   * The verdict of a validator on a proposal, over the state before it: a proposal with a transaction that no block may
   * hold gets no vote. Does not execute messages. Keeps nothing.
   */
  processProposal(state: StateReader, request: ProcessProposalRequest): ProcessProposalResult;
  /** Executes a transaction without signature checks and without keeping its writes. */
  simulate(state: StateReader, context: QueryContext, tx: Uint8Array): SimulateResult;
  /** Every path that `query` implements. */
  readonly queryPaths: ReadonlySet<string>;
  /**
   * Executes the query of a gRPC path (`/cosmos.bank.v1beta1.Query/Balance`); request and response are encoded
   * protobuf.
   */
  query(state: StateReader, context: QueryContext, path: string, data: Uint8Array): QueryResult;
  /** Drops all caches of the state, because the state was set back. */
  forgetState(): void;
  /** Starts a check state over the state after a block. */
  createCheckState(state: StateReader, context: QueryContext): CheckState;
  /** undefined when the application has no EVM. */
  readonly ethereum: (EthereumReads & EthereumCalls) | undefined;
}

/** The block of a state, as its transactions saw it. */
export interface BlockContext extends QueryContext {
  /** Hash of the block (32 bytes). */
  readonly hash: Uint8Array;
  /** Consensus address of its proposer. */
  readonly proposer: Uint8Array;
}

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
  statePart(state: StateReader, at: BlockContext, place: PartPlace | undefined, rows: number): StatePart;
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
   * Executes the block over the state before it up to the transaction at `index`, excluded, and answers the slots of a
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
   * Executes as `slotsAt` does, then the transaction at `index`, and answers the rows that it changed, in order of
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
  dumpPart(state: StateReader, at: QueryContext, place: PartPlace | undefined, rows: number): DumpPart;
  /** Base fee with which admission compares prices, wei: that of the head, or one that was set for the next block. */
  admissionBaseFee(state: StateReader, at: QueryContext): bigint;
  /** Base fee of the block after this state, wei. */
  nextBaseFee(state: StateReader, at: QueryContext): bigint;
  /** Lowest gas price, base fee included, that the fee market accepts, wei. */
  minGasPrice(state: StateReader, at: QueryContext): bigint;
}

/** Opaque to callers: the state after the last block plus the effects of the transactions admitted since. */
export interface CheckState {
  readonly kind: 'check-state';
}

export interface InitChainRequest {
  readonly chainId: string;
  readonly initialHeight: Height;
  readonly time: TimeNs;
  readonly consensusParams: ConsensusParams;
  readonly validators: readonly ValidatorUpdate[];
  /** `app_state` of the genesis document, as parsed JSON. */
  readonly appState: unknown;
}

export interface InitChainResult {
  readonly writes: readonly StateWrite[];
  readonly validators: readonly ValidatorUpdate[];
  readonly consensusParams: ConsensusParams;
}

/** The facts of a block besides its hash and its transactions, as the application sees them. */
export interface BlockFacts {
  readonly height: Height;
  readonly time: TimeNs;
  readonly chainId: string;
  readonly proposerAddress: Uint8Array;
  readonly nextValidatorsHash: Uint8Array;
  /** The app hash of the block before, which the header holds. */
  readonly previousAppHash: Uint8Array;
  /** The validators of the previous block, in the order of their set. */
  readonly lastCommitVotes: readonly LastCommitVote[];
  readonly lastCommitRound: number;
  readonly misbehavior: readonly Misbehavior[];
}

/** The vote of a validator on the previous block (CometBFT v0.38 `VoteInfo` and `BlockIDFlag`). */
export interface LastCommitVote {
  readonly address: Uint8Array;
  readonly power: bigint;
  /** `absent`: no vote came in; `nil`: the vote was for no block. */
  readonly flag: 'absent' | 'commit' | 'nil';
}

/** A proven offence of a validator (CometBFT v0.38 `Misbehavior`). */
export interface Misbehavior {
  readonly kind: 'duplicate vote' | 'light client attack';
  readonly address: Uint8Array;
  readonly power: bigint;
  /** Height and time of the offence. */
  readonly height: Height;
  readonly time: TimeNs;
  readonly totalVotingPower: bigint;
}

export interface FinalizeBlockRequest extends BlockFacts {
  /** Hash of the block being executed (32 bytes). */
  readonly hash: Uint8Array;
  readonly txs: readonly Uint8Array[];
  /** Indices of transactions whose signatures were checked earlier and are not checked again. */
  readonly verified?: ReadonlySet<number>;
}

export interface ProposedTransaction {
  readonly tx: Uint8Array;
  readonly gasLimit: bigint;
  /** Its signatures were checked earlier and are not checked again. */
  readonly verified: boolean;
  /** The accounts whose nonces it uses, as numbers: without it, later transactions of these accounts are invalid. */
  readonly accounts: readonly number[];
}

/** Height and time are those of the proposed block. */
export interface ProcessProposalRequest extends QueryContext {
  readonly txs: readonly Uint8Array[];
  /** Indices of transactions whose signatures were checked earlier and are not checked again. */
  readonly verified?: ReadonlySet<number>;
}

/** `index`: of the first transaction that is refused. */
export type ProcessProposalResult =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly index: number; readonly reason: string };

/** `txs`: in the order of the block. */
export interface PrepareProposalRequest extends BlockFacts {
  readonly txs: readonly ProposedTransaction[];
}

/** `taken`: places of the transactions that make the block; at least one when one of them fits an empty block. */
export type PrepareProposalResult =
  | { readonly kind: 'prepared'; readonly taken: readonly number[] }
  | Extract<FinalizeBlockResult, { readonly kind: 'halted' }>;

/**
 * Either the block was executed, or it must not be, because an upgrade is due that this build cannot apply (cosmos-sdk
 * v0.53 `x/upgrade/abci.go`). `reason` is the SDK's text.
 */
export type FinalizeBlockResult =
  | {
      readonly kind: 'executed';
      /** The results as bytes, written transaction by transaction; the app hash is not known yet. */
      readonly results: EncodedResults;
      /** Every written leaf, stores by name and keys in byte order: the order in which the SDK flushes a block. */
      readonly writes: readonly StateWrite[];
      /** Height of the scheduled upgrade after this block, so that the host knows before it executes that block. */
      readonly upgradeHeight: Height | undefined;
      /** Addresses that the frames of its Ethereum transactions touched, where there are any. */
      readonly touched: readonly Touched[];
      /** Upgrade that this block applied. */
      readonly upgradeApplied: string | undefined;
    }
  | {
      readonly kind: 'halted';
      readonly plan: { readonly name: string; readonly height: Height; readonly info: string };
      readonly reason: string;
    };

export interface QueryContext {
  readonly chainId: string;
  readonly height: Height;
  readonly time: TimeNs;
}

/** ABCI query result: `code` 0 and a value, or an SDK code, codespace and log. */
export type QueryResult =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly code: number; readonly codespace: string; readonly log: string };

export type SimulateResult =
  | { readonly ok: true; readonly gasWanted: bigint; readonly gasUsed: bigint; readonly result: ExecTxResult }
  | {
      readonly ok: false;
      readonly code: number;
      readonly codespace: string;
      readonly log: string;
      readonly gasUsed: bigint;
    };
