/**
 * Everything that the Ethereum face may call in the node, besides `NodeApi`. A height means the state after that block;
 * a read at a missing height answers its error as a value.
 */
import type { EvmAccessListItem, EvmFork } from '../evm/transaction.js';
import type { EvmLog, EvmTrace } from '../evm/outcome.js';
import type { EvmOverride } from '../evm/state.js';
import type { EngineQueries } from '../engine.js';
import type { Outcome } from '../errors.js';
import type { PoolPlace } from '../mempool/transaction-pool.js';
import type { PullStream } from '../pull-stream.js';
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
  /** keccak256 of no bytes for an account without code. */
  readonly codeHash: Uint8Array;
}

/**
 * The outcome of a call. `refused`: geth would not start it (its text in `message`); `timeout`: stopped after the time
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

/** `gasUsed` is the gas with the list; `error` is the failure of the execution. */
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
 * Part of a stream of traces: text of the trace that is made (UTF-8), or its end, whose text follows those pieces. A
 * trace without a piece may have failed.
 */
export type TracePart =
  | { readonly kind: 'piece'; readonly text: Uint8Array }
  | { readonly kind: 'end'; readonly trace: EvmTrace };

/** Refusal of traces that are longer than one answer may be, as text. */
export function traceTooLarge(maxBytes: number): string {
  return `trace too large: limit ethTraceBytes (${maxBytes}) exceeded`;
}

/** Refusal of a sequence of calls whose outputs and traces are longer than one answer may be, as text. */
export function answerTooLarge(maxBytes: number): string {
  return `answer too large: limit ethTraceBytes (${maxBytes}) exceeded`;
}

export interface EthereumApi {
  /** EIP-155 chain id. */
  readonly chainId: bigint;
  /** The newest fork of Ethereum whose rules hold. */
  readonly fork: EvmFork;
  /** Lowest tip that is suggested to senders, wei. */
  readonly leastTip: bigint;
  /** The consensus engine in another process that makes the blocks, which knows peers and syncs. */
  readonly engine?: Pick<EngineQueries, 'status' | 'network'> | undefined;
  /** Height of the newest block on this face. */
  blockNumber(): Height;
  earliestBlock(): Height;
  /** Height of the first block after the genesis block. */
  firstBlock(): Height;
  /** Lowest height whose state is kept. */
  earliestState(): Height;
  /**
   * View of one block; undefined when it does not exist. The genesis block is synthetic (`docs/interfaces/eth-rpc.md`).
   */
  block(height: Height): EthereumBlock | undefined;
  heightOfBlock(hash: Uint8Array): Height | undefined;
  /**
   * Makes the block that would follow the head now, with what waits in the pool; undefined where it is there already,
   * or where there is none: outside of dev mode, and before an upgrade. It is `block` of `pendingHeight`, and its state
   * is read at that height, until the head moves.
   */
  makePending(): Promise<Outcome<undefined>> | undefined;
  /** Height of the block `pending`: that of the head where no block was made to follow it. */
  pendingHeight(): Height;
  /** Finds a transaction by its Ethereum hash or by the hash of the wrapping consensus transaction. */
  transaction(
    hash: Uint8Array,
  ): { readonly block: EthereumBlock; readonly transaction: EthereumBlockTransaction } | undefined;
  pending(hash: Uint8Array): EthereumPendingTransaction | undefined;
  /**
   * The Ethereum transactions in one place of the pool. Ethereum and Cosmos transactions of an account share its
   * nonces.
   */
  pendingTransactions(place: PoolPlace): readonly EthereumPendingTransaction[];
  /** The next nonce of a sender, after all its pending transactions. */
  pendingNonce(address: Uint8Array): bigint;

  account(address: Uint8Array, height: Height): Outcome<EthereumAccount>;
  code(address: Uint8Array, height: Height): Outcome<Uint8Array>;
  /** The code with this keccak256 hash; undefined where no account has had it. */
  codeOf(hash: Uint8Array, height: Height): Outcome<Uint8Array | undefined>;
  /** 32 bytes. */
  storage(address: Uint8Array, slot: Uint8Array, height: Height): Outcome<Uint8Array>;

  /** Resolves without a thread of the pool where the call is sure to be short. */
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
   * geth-shaped JSON texts of the traces of transactions of one block, by their hashes and in their order, from one
   * execution of the block; `options` is JSON text. undefined when they are longer than `maxBytes` together; empty
   * without a hash, or when the block was reverted.
   */
  traceTransactions(
    hashes: readonly Uint8Array[],
    options: string,
    maxBytes: number,
  ): Promise<Outcome<readonly EvmTrace[] | undefined>>;
  /** Within the block at `height` where `before` is given, before its transaction with this hash. */
  traceCall(
    call: EthereumCall,
    height: Height,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
    options: string,
    before?: Uint8Array,
  ): Promise<Outcome<EvmTrace>>;
  /** Traces as `traceTransactions` does, without a limit of bytes: the traces are made while they are read. */
  streamTraces(hashes: readonly Uint8Array[], options: string): Promise<Outcome<PullStream<TracePart>>>;
  /** Traces as `traceCall` does, while the trace is read; a stream of one trace. */
  streamCallTrace(
    call: EthereumCall,
    height: Height,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
    options: string,
    before?: Uint8Array,
  ): Promise<Outcome<PullStream<TracePart>>>;
  /**
   * Calls one after another over the state after a block, without lasting effects. Refused beyond the limits of a
   * sequence (`refuseLongSequence`), and when outputs and traces are longer than one answer may be.
   */
  callSequence(sequence: CallSequence, height: Height): Promise<Outcome<CallSequenceResult>>;
  /** `eth_simulateV1` on the state after a block; refused when the answer is longer than `maxBytes`. */
  simulate(simulation: Simulation, height: Height, maxBytes: number): Promise<Outcome<SimulationResult>>;
  /**
   * The proof of an account and some of its slots, over tries made on demand; `limit-exceeded` where the state has more
   * rows than one search reads.
   */
  proof(address: Uint8Array, slots: readonly Uint8Array[], height: Height): Promise<Outcome<AccountProof>>;
  /**
   * Slots of a contract before the transaction with this hash was executed, or at the end of the block before `block`
   * without one.
   */
  slotsAt(block: Height, before: Uint8Array | undefined, address: Uint8Array): Promise<Outcome<readonly StorageSlot[]>>;
  /** An account right after the transaction with this hash; undefined when its block was reverted meanwhile. */
  accountAfter(transaction: Uint8Array, address: Uint8Array): Promise<Outcome<AccountWithCode | undefined>>;
  /** Place of a transaction by either hash, and the rows that it changed; undefined where no block has it. */
  changedBy(
    transaction: Uint8Array,
  ): Promise<
    Outcome<{ readonly height: Height; readonly index: number; readonly rows: readonly ChangedRow[] } | undefined>
  >;
  /**
   * Blocks with logs, shown at or before a position of the log, that were reverted after it (dev mode), newest first,
   * as far as they are in memory.
   */
  abandonedSince(position: Position): readonly LoggedBlock[];
  /** True where `block` answers without reading the log. */
  isInMemory(height: Height): boolean;
  /**
   * Heights of blocks in the range whose logs may match (a superset), ascending, bounded: from the index of log
   * postings; the newest blocks are among them without a search, as far as they are in memory or not indexed yet.
   */
  candidateBlocks(
    from: Height,
    to: Height,
    addresses: readonly Uint8Array[],
    topics: readonly (readonly Uint8Array[])[],
  ): Promise<Outcome<readonly Height[]>>;

  /**
   * Heights of blocks in the range that may have a transaction from, to or creating an account, a frame that touched
   * it, or a log of it (a superset), ascending: from the index of attributes, of logs and of touched addresses. Fails
   * with `limit-exceeded` where they are too many.
   */
  blocksOf(account: Uint8Array, from: Height, to: Height): Promise<Outcome<readonly Height[]>>;
  /** Consensus hashes of the transactions of a block in which a frame touched the account. */
  touching(account: Uint8Array, height: Height): readonly Uint8Array[];

  /** Base fee of the block after the head, or after the block `pending` where its height is given. */
  nextBaseFee(pending?: Height): bigint;
  /**
   * Base fee from which prices are quoted: that of the head or of the next block, the higher one. Admission compares
   * with the head's, the next block with its own. One that commands set for the next block is that of both.
   */
  quotedBaseFee(): bigint;
  /** Lowest gas price, base fee included, at which a transaction is admitted. */
  lowestGasPrice(): bigint;
  /** Admits a signed transaction; resolves with its hash. `signer`: the account for which this node signed it. */
  sendRawTransaction(raw: Uint8Array, signer?: Uint8Array): Promise<Outcome<Uint8Array>>;
  /**
   * Resolves when the block of a transaction that was admitted can be read, or with an error when it waits in the pool
   * and no block will come. Undefined when its sender does not wait: blocks are not made for transactions, its nonce or
   * its price is not due, or this is switched off.
   */
  inBlock(hash: Uint8Array): Promise<Outcome<undefined>> | undefined;
  /** Addresses whose keys this node holds (dev accounts); empty outside dev mode. */
  accounts(): readonly Uint8Array[];
  /** Signs with a key of `accounts()`; undefined when the node does not hold it. `digest` has 32 bytes. */
  signDigest(
    address: Uint8Array,
    digest: Uint8Array,
  ): { readonly r: bigint; readonly s: bigint; readonly yParity: 0 | 1 } | undefined;
  readonly dev: EthereumDevApi | undefined;

  readonly filters: EthereumFilters;
  /**
   * Calls `listener` synchronously after publication, once for each published block, in order. `position` is the
   * cursor.
   */
  onBlock(listener: (block: EthereumBlock, position: Position) => void): () => void;
}
