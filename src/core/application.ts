import type { EthereumCalls, EthereumReads } from './application-ethereum.js';
import type {
  FinalizeBlockRequest,
  FinalizeBlockResult,
  InitChainRequest,
  InitChainResult,
  PrepareProposalRequest,
  PrepareProposalResult,
  ProcessProposalRequest,
  ProcessProposalResult,
  QueryContext,
  QueryResult,
  SimulateResult,
} from './application-requests.js';
import type { AccountNonce, PoolTransaction } from './mempool/pool-transaction.js';
import type { Height } from './primitives.js';
import type { ResponseCheckTx } from './proto/tendermint/abci/types_pb.js';
import type { StateReader } from './state/state.js';

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
   * signatures count as checked, by an earlier check of the same bytes.
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

/** Opaque to callers: the state after the last block plus the effects of the transactions admitted since. */
export interface CheckState {
  readonly kind: 'check-state';
}
