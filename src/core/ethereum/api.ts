/**
 * Everything that Ethereum JSON-RPC may call in the node, besides `NodeApi`. A height means the state after that
 * block; a read at a missing height returns its error as a value.
 */
import type { EvmAccessListItem, EvmFork } from '../evm/transaction.js';
import type { EvmLog, EvmTrace } from '../evm/outcome.js';
import type { EvmOverride } from '../evm/state.js';
import type { EngineQueries } from '../comet/engine-queries.js';
import type { Outcome } from '../errors.js';
import type { PoolPlace } from '../mempool/transaction-pool.js';
import type { PullStream } from '../ports/pull-stream.js';
import type { Height, Position } from '../primitives.js';
import type { ChangedRow } from '../state/state.js';
import type { EthereumBlock, EthereumBlockTransaction, LoggedBlock } from './block-view.js';
import type { AccountWithCode } from './account-state.js';
import type { EthereumBlockOverrides, EthereumCall } from './call.js';
import type { CallSequence, CallSequenceResult } from './call-sequence.js';
import type { EthereumDevApi } from './dev-api.js';
import type { EthereumFilters } from './polling-filters.js';
import type { AccountProof, StorageSlot } from './state-proof.js';
import type { Simulation, SimulationResult } from './simulation.js';
import type { EthereumTransaction } from './transaction.js';

export type * from './chain-branches.js';
export type * from './dev-api.js';
export type * from './polling-filters.js';

export interface EthereumAccount {
  readonly balance: bigint;
  readonly nonce: bigint;
  /** Code hash; keccak256 of no bytes for an account without code. */
  readonly codeHash: Uint8Array;
}

/**
 * Result of a call. `refused`: geth would reject it before execution, with `message`. `timeout`: stopped at the time
 * limit.
 */
export type EthereumCallResult =
  | {
      readonly kind: 'success';
      readonly output: Uint8Array;
      readonly gasUsed: bigint;
      readonly logs: readonly EvmLog[];
    }
  | { readonly kind: 'revert'; readonly output: Uint8Array; readonly gasUsed: bigint }
  | { readonly kind: 'halt'; readonly message: string; readonly gasUsed: bigint }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'timeout'; readonly message: string };

export type EstimateResult =
  | { readonly kind: 'gas'; readonly gas: bigint }
  | Exclude<EthereumCallResult, { readonly kind: 'success' }>;

/** `gasUsed` is the gas used with the list; `error` is the execution's failure. */
export type AccessListResult =
  | {
      readonly kind: 'list';
      readonly accessList: readonly EvmAccessListItem[];
      readonly gasUsed: bigint;
      readonly error?: string;
    }
  | Extract<EthereumCallResult, { readonly kind: 'refused' | 'timeout' }>;

export interface EthereumPendingTransaction {
  readonly hash: Uint8Array;
  readonly from: Uint8Array;
  readonly transaction: EthereumTransaction;
}

/**
 * Part of a stream of traces: a piece of UTF-8 text of the current trace, or its end with the rest of the text. A
 * trace that fails has no piece.
 */
export type TracePart =
  | { readonly kind: 'piece'; readonly text: Uint8Array }
  | { readonly kind: 'end'; readonly trace: EvmTrace };

/** Error text for traces that exceed the maximum length of one response. */
export function traceTooLarge(maxBytes: number): string {
  return `trace too large: limit ethTraceBytes (${maxBytes}) exceeded`;
}

/** Error text for a call sequence whose outputs and traces exceed the maximum length of one response. */
export function answerTooLarge(maxBytes: number): string {
  return `answer too large: limit ethTraceBytes (${maxBytes}) exceeded`;
}

export interface EthereumApi {
  /** EIP-155 chain id. */
  readonly chainId: bigint;
  /** Active Ethereum fork. */
  readonly fork: EvmFork;
  /** Lowest priority fee that price suggestions return, wei. */
  readonly minTip: bigint;
  /** The external consensus engine that makes the blocks; it knows about peers and sync. */
  readonly engine?: Pick<EngineQueries, 'status' | 'network'> | undefined;
  /** Height of the newest block that Ethereum JSON-RPC shows. */
  blockNumber(): Height;
  earliestBlock(): Height;
  /** Height of the first block after the genesis block. */
  firstBlock(): Height;
  /** Lowest height whose state is kept. */
  earliestState(): Height;
  /** One block; undefined when it does not exist. The genesis block is synthetic (`docs/interfaces/eth-rpc.md`). */
  block(height: Height): EthereumBlock | undefined;
  heightOfBlock(hash: Uint8Array): Height | undefined;
  /**
   * Builds the pending block after the current head from the pool. Undefined when it is built already or cannot
   * exist: outside of dev mode, or before an upgrade. Until the head moves, the pending block and its state are read
   * at `pendingHeight`.
   */
  makePending(): Promise<Outcome<undefined>> | undefined;
  /** Height of the pending block; the head's when no pending block was built. */
  pendingHeight(): Height;
  /** Finds a transaction by its Ethereum hash or by the CometBFT hash of the transaction that wraps it. */
  transaction(
    hash: Uint8Array,
  ): { readonly block: EthereumBlock; readonly transaction: EthereumBlockTransaction } | undefined;
  pending(hash: Uint8Array): EthereumPendingTransaction | undefined;
  /**
   * Ethereum transactions in one part of the pool. An account's Ethereum and Cosmos transactions share its nonces.
   */
  pendingTransactions(place: PoolPlace): readonly EthereumPendingTransaction[];
  /** Next nonce of a sender after all its pending transactions. */
  pendingNonce(address: Uint8Array): bigint;

  account(address: Uint8Array, height: Height): Outcome<EthereumAccount>;
  code(address: Uint8Array, height: Height): Outcome<Uint8Array>;
  /** Code with this keccak256 hash; undefined when no account ever had it. */
  codeOf(hash: Uint8Array, height: Height): Outcome<Uint8Array | undefined>;
  /** Value of a slot, 32 bytes. */
  storage(address: Uint8Array, slot: Uint8Array, height: Height): Outcome<Uint8Array>;

  /** Executes a call. Short calls run on the main thread, others on the thread pool. */
  call(
    call: EthereumCall,
    height: Height,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
  ): Outcome<EthereumCallResult> | Promise<Outcome<EthereumCallResult>>;
  estimateGas(
    call: EthereumCall,
    height: Height,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
  ): Outcome<EstimateResult> | Promise<Outcome<EstimateResult>>;
  createAccessList(
    call: EthereumCall,
    height: Height,
    overrides: readonly EvmOverride[],
  ): Promise<Outcome<AccessListResult>>;
  /**
   * Traces transactions of one block in one execution; returns geth-shaped JSON texts in the order of `hashes`.
   * `options` is JSON text. Undefined when they exceed `maxBytes` together; empty without hashes, or when the block
   * was reverted.
   */
  traceTransactions(
    hashes: readonly Uint8Array[],
    options: string,
    maxBytes: number,
  ): Promise<Outcome<readonly EvmTrace[] | undefined>>;
  /** Traces a call. With `before`: inside the block at `height`, before the transaction with this hash. */
  traceCall(
    call: EthereumCall,
    height: Height,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
    options: string,
    before?: Uint8Array,
  ): Promise<Outcome<EvmTrace>>;
  /** Traces like `traceTransactions` without a byte limit: traces are made while they are read. */
  streamTraces(hashes: readonly Uint8Array[], options: string): Promise<Outcome<PullStream<TracePart>>>;
  /** Traces like `traceCall`, made while it is read: a stream of one trace. */
  streamCallTrace(
    call: EthereumCall,
    height: Height,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
    options: string,
    before?: Uint8Array,
  ): Promise<Outcome<PullStream<TracePart>>>;
  /**
   * Executes calls one after another on the state after a block, without persistent effects. Refuses sequences beyond
   * the limits (`refuseLongSequence`), and outputs and traces that exceed the maximum response length.
   */
  callSequence(sequence: CallSequence, height: Height): Promise<Outcome<CallSequenceResult>>;
  /** Executes `eth_simulateV1` on the state after a block; refused when the response exceeds `maxBytes`. */
  simulate(simulation: Simulation, height: Height, maxBytes: number): Promise<Outcome<SimulationResult>>;
  /**
   * Proves an account and some of its slots with tries that are built on demand; `limit-exceeded` when the state has
   * more rows than one search may read.
   */
  proof(address: Uint8Array, slots: readonly Uint8Array[], height: Height): Promise<Outcome<AccountProof>>;
  /**
   * Slots of a contract before the transaction with this hash; without a hash, at the end of the parent of `block`.
   */
  slotsAt(block: Height, before: Uint8Array | undefined, address: Uint8Array): Promise<Outcome<readonly StorageSlot[]>>;
  /** Account right after the transaction with this hash; undefined when its block was reverted meanwhile. */
  accountAfter(transaction: Uint8Array, address: Uint8Array): Promise<Outcome<AccountWithCode | undefined>>;
  /** Location of a transaction by either hash, and the rows that it changed; undefined when no block has it. */
  changedBy(
    transaction: Uint8Array,
  ): Promise<
    Outcome<{ readonly height: Height; readonly index: number; readonly rows: readonly ChangedRow[] } | undefined>
  >;
  /**
   * Reverted blocks with logs that were published at or before a log position and reverted after it (dev mode),
   * newest first. Blocks no longer in memory are missing.
   */
  abandonedSince(position: Position): readonly LoggedBlock[];
  /** True when `block` returns without reading the log. */
  isInMemory(height: Height): boolean;
  /**
   * Heights in the range whose blocks may have matching logs (a superset), ascending and bounded, from the log index.
   * Blocks in memory or not yet indexed are always included.
   */
  candidateBlocks(
    from: Height,
    to: Height,
    addresses: readonly Uint8Array[],
    topics: readonly (readonly Uint8Array[])[],
  ): Promise<Outcome<readonly Height[]>>;

  /**
   * Heights in the range whose blocks may have a transaction from, to or creating an account, a call frame that
   * touched it, or one of its logs (a superset), ascending. Uses the indexes of attributes, logs and touched
   * addresses. Fails with `limit-exceeded` when there are too many.
   */
  blocksOf(account: Uint8Array, from: Height, to: Height): Promise<Outcome<readonly Height[]>>;
  /** CometBFT hashes of the block's transactions in which a call frame touched the account. */
  touching(account: Uint8Array, height: Height): readonly Uint8Array[];

  /** Base fee of the block after the head, or after the pending block when its height is given. */
  nextBaseFee(pending?: Height): bigint;
  /**
   * Base fee for price suggestions: the higher one of the head's and the next block's, because admission checks
   * against the head's and the next block against its own. A base fee set by a dev command for the next block
   * replaces both.
   */
  quotedBaseFee(): bigint;
  /** Lowest gas price, base fee included, that admission accepts. */
  lowestGasPrice(): bigint;
  /** Admits a signed transaction; resolves with its hash. `signer`: account on whose behalf this node signed it. */
  sendRawTransaction(raw: Uint8Array, signer?: Uint8Array): Promise<Outcome<Uint8Array>>;
  /**
   * Resolves when the block of an admitted transaction can be read, or fails when the transaction is pending and no
   * block will come. Undefined when senders do not wait: blocks are not made per transaction, its nonce or price is
   * not due, or waiting is switched off.
   */
  inBlock(hash: Uint8Array): Promise<Outcome<undefined>> | undefined;
  /** Addresses whose keys this node holds (dev accounts); empty outside dev mode. */
  accounts(): readonly Uint8Array[];
  /** Signs a digest (32 bytes) with a key of `accounts()`; undefined when the node does not hold the key. */
  signDigest(
    address: Uint8Array,
    digest: Uint8Array,
  ): { readonly r: bigint; readonly s: bigint; readonly yParity: 0 | 1 } | undefined;
  readonly dev: EthereumDevApi | undefined;

  readonly filters: EthereumFilters;
  /**
   * Calls `listener` for each published block in order, synchronously after publication. `position` is the cursor.
   */
  onBlock(listener: (block: EthereumBlock, position: Position) => void): () => void;
}
