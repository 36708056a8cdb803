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
 * The application in ABCI 2.0 terms: pure functions from a version of the state to results and writes (CometBFT spec,
 * abci/abci++_methods). It owns no state: its callers (executor, mempool admission, queries, replay) supply the
 * reader and store the writes. It does not know how the state is hashed or stored.
 */
export interface Application {
  /** Builds the first state from `app_state` of a validated genesis document. */
  initChain(request: InitChainRequest): InitChainResult;
  /**
   * Checks one transaction against the check state (mempool admission); reads single keys only. `verified`: an
   * earlier check of the same bytes verified the signatures.
   */
  checkTx(checkState: CheckState, tx: Uint8Array, verified?: boolean): ResponseCheckTx;
  /** Facts that order a transaction in the mempool; undefined when its bytes cannot be decoded. */
  describe(tx: Uint8Array): Omit<PoolTransaction, 'hash'> | undefined;
  /**
   * Checks a transaction with a future nonce: applies every rule of `checkTx` except the nonce's, without effects.
   * `replaced` is an Ethereum transaction of the same sender and nonce (the one to be replaced, or its replacement),
   * whose effects are left out.
   */
  checkQueued(
    checkState: CheckState,
    tx: Uint8Array,
    sender: AccountNonce,
    verified?: boolean,
    replaced?: Uint8Array,
  ): ResponseCheckTx;
  /**
   * Rechecks pending Ethereum transactions of one sender in nonce order; each passed an earlier check. True for each
   * that passes again; their effects stay in the check state. `sender` is lower-case hex.
   */
  recheck(checkState: CheckState, sender: string, txs: readonly Uint8Array[]): readonly boolean[];
  /** Nonce (sequence) of an account's next transaction. `address` is lower-case hex. */
  nextNonce(checkState: CheckState, address: string): bigint;
  /** Executes a decided block. Deterministic: no clock, no randomness. */
  finalizeBlock(state: StateReader, request: FinalizeBlockRequest): FinalizeBlockResult;
  /**
   * Executes transactions of a proposal before its hash is known, as many of `txs` as fit the block's gas limit:
   * execution ends at the first transaction whose gas limit exceeds the remaining gas, or when `isLate` returns true.
   */
  prepareProposal(state: StateReader, request: PrepareProposalRequest, isLate?: () => boolean): PrepareProposalResult;
  /**
   * Completes the execution of the last prepared proposal with the same result as `finalizeBlock`. Undefined when no
   * proposal is prepared for this height, or when a block was executed since.
   */
  finalizePrepared(height: Height, hash: Uint8Array): FinalizeBlockResult | undefined;
  /**
   * Votes on a proposal as a validator, over its parent state: rejects a transaction that no block may contain. Does
   * not execute messages and keeps nothing.
   */
  processProposal(state: StateReader, request: ProcessProposalRequest): ProcessProposalResult;
  /** Executes a transaction without signature checks and discards its writes. */
  simulate(state: StateReader, context: QueryContext, tx: Uint8Array): SimulateResult;
  /** All paths that `query` implements. */
  readonly queryPaths: ReadonlySet<string>;
  /**
   * Executes the query of a gRPC path (`/cosmos.bank.v1beta1.Query/Balance`); request and response are encoded
   * protobuf.
   */
  query(state: StateReader, context: QueryContext, path: string, data: Uint8Array): QueryResult;
  /** Drops all caches of the state, because the chain was reverted. */
  forgetState(): void;
  /** Creates a check state over the state after a block. */
  createCheckState(state: StateReader, context: QueryContext): CheckState;
  /** Undefined when the application has no EVM. */
  readonly ethereum: (EthereumReads & EthereumCalls) | undefined;
}

/** Opaque to callers: the state after the last block with the effects of transactions admitted since. */
export interface CheckState {
  readonly kind: 'check-state';
}
