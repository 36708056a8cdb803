/**
 * The events of the log (`docs/decisions/0001-log-record.md`). Every event has a type in the past tense and a version.
 * Their data never changes after a release: a new shape gets a new version and an upcaster.
 */
import type { Touched } from './evm/touched.js';
import type { ConsensusNotice } from './consensus/notices.js';
import type { FilterCriteria } from './ethereum/api.js';
import type { Height, Position, TimeNs } from './primitives.js';
import type { StateWrite } from './state/state.js';

export type Stream = 'chain' | 'mempool' | 'upgrade' | 'node' | 'filters';

/** The chain began. The event records facts that the genesis does not contain, as resolved at the first start. */
export interface ChainStarted {
  readonly type: 'ChainStarted';
  readonly v: 1;
  readonly data: {
    readonly chainId: string;
    readonly evmChainId: bigint;
    readonly bech32Prefix: string;
    readonly preset: string;
    /** Exact bytes of the genesis document that /genesis returns. */
    readonly genesis: Uint8Array;
    readonly initialHeight: Height;
    /** Encoded tendermint.types.ValidatorSet of the first height. */
    readonly validators: Uint8Array;
    /** Encoded tendermint.types.ConsensusParams after InitChain. */
    readonly consensusParams: Uint8Array;
    readonly writes: readonly StateWrite[];
  };
}

/** A block was decided: by this process, or by an external engine that drives the application over ABCI. */
export type BlockDecided = BlockDecidedV1 | BlockDecidedV3 | BlockDecidedV2;

/** A decision as earlier builds wrote it, with its round events as text. */
export interface BlockDecidedV1 {
  readonly type: 'BlockDecided';
  readonly v: 1;
  readonly data: Omit<BlockDecidedV3['data'], 'trace'> & {
    /** Consensus events of the height before the decision, in order; values are JSON text. */
    readonly trace: readonly { readonly type: string; readonly value: string }[];
  };
}

export interface BlockDecidedV3 {
  readonly type: 'BlockDecided';
  readonly v: 3;
  readonly data: {
    readonly height: Height;
    /** Encoded tendermint.types.Block (header, transactions, evidence, last commit). */
    readonly block: Uint8Array;
    /** Encoded tendermint.types.Commit that decided this block (the seen commit). */
    readonly commit: Uint8Array;
    /** Consensus notices of the height before the decision, in order. */
    readonly trace: readonly ConsensusNotice[];
  };
}

/**
 * A block as FinalizeBlock describes it (CometBFT v0.38 spec/abci/abci++_methods.md): the external engine keeps its
 * encoding, commit and rounds.
 */
export interface BlockDecidedV2 {
  readonly type: 'BlockDecided';
  readonly v: 2;
  readonly data: {
    readonly height: Height;
    /**
     * Encoded tendermint.types.Block with its known parts: the transactions and, in the header, chain id, height,
     * time, last block hash, app hash, next validators hash and proposer.
     */
    readonly block: Uint8Array;
    /** Hash of the complete header. */
    readonly hash: Uint8Array;
    /** Encoded tendermint.abci.CommitInfo: round and votes of the last commit. */
    readonly lastCommit: Uint8Array;
    /** Encoded tendermint.abci.Misbehavior, one per entry. */
    readonly misbehavior: readonly Uint8Array[];
  };
}

/**
 * A block was executed. Versions 1 and 3 follow a decision of this process, 2 and 4 one of an external engine.
 * Versions 3 and 4 also have `touched`; earlier builds did not write it. Versions 2 and 4 contain the app hash,
 * because the engine receives it before the block is in the log, and a later header with it may never come.
 */
export type BlockExecuted = BlockExecutedLocally | BlockExecutedExternally;

export interface BlockExecutedLocally {
  readonly type: 'BlockExecuted';
  readonly v: 1 | 3;
  readonly data: BlockExecution;
}

export interface BlockExecutedExternally {
  readonly type: 'BlockExecuted';
  readonly v: 2 | 4;
  readonly data: BlockExecution & { readonly appHash: Uint8Array };
}

interface BlockExecution {
  readonly height: Height;
  /** Encoded tendermint.abci.ResponseFinalizeBlock without its app_hash. */
  readonly results: Uint8Array;
  readonly writes: readonly StateWrite[];
  readonly upgradeHeight: Height | undefined;
  /** Addresses touched in call frames; indices ascend. Absent in versions 1 and 2. */
  readonly touched?: readonly Touched[];
}

/**
 * The state after a block came from a snapshot, before this log had a block: the first block of the log is the next
 * one.
 */
export type SnapshotRestored = SnapshotRestoredV1 | SnapshotRestoredV2;

/**
 * A snapshot of another node that an external engine fetched (CometBFT v0.38 spec/abci/abci++_methods.md,
 * ApplySnapshotChunk). Chain facts that the state contains were resolved at that time; the engine knows the rest.
 */
export interface SnapshotRestoredV1 {
  readonly type: 'SnapshotRestored';
  readonly v: 1;
  readonly data: RestoredState;
}

/** A snapshot of a node without an external engine; this program makes the following blocks. */
export interface SnapshotRestoredV2 {
  readonly type: 'SnapshotRestored';
  readonly v: 2;
  readonly data: RestoredState & { readonly head: SnapshotHead };
}

interface RestoredState {
  readonly height: Height;
  /** App hash after the block at `height`. */
  readonly appHash: Uint8Array;
  /** Time of the block at `height`. */
  readonly time: TimeNs;
  /** Hash of that block; empty when the state does not contain it. */
  readonly blockHash: Uint8Array;
  /** Encoded tendermint.types.ValidatorSet of the next block, and of the block after it. */
  readonly validators: Uint8Array;
  readonly nextValidators: Uint8Array;
  /** Encoded tendermint.types.ConsensusParams of the next block. */
  readonly consensusParams: Uint8Array;
  readonly upgradeHeight: Height | undefined;
  /** Format number of `chunks`. */
  readonly format: number;
  /** All tree nodes with their versions, and all values. */
  readonly chunks: LoggedChunks;
}

/** Chunks of a snapshot as received. Those of an anchor are read from the database during iteration. */
export type LoggedChunks = readonly Uint8Array[] | AsyncIterable<Uint8Array>;

/** Chunks in memory with their event; undefined for those of an anchor. */
export function heldChunks(chunks: LoggedChunks): readonly Uint8Array[] | undefined {
  return Symbol.asyncIterator in chunks ? undefined : chunks;
}

/** Head of a chain at a snapshot, which the next block refers to (CometBFT v0.38 `state/state.go`). */
export interface SnapshotHead {
  /** Encoded tendermint.types.Header, BlockID and Commit of the block. */
  readonly header: Uint8Array;
  readonly blockId: Uint8Array;
  readonly commit: Uint8Array;
  /** Encoded tendermint.types.ValidatorSet that signed the commit. */
  readonly lastValidators: Uint8Array;
  /** Hash of the block's results, for the next header. */
  readonly lastResultsHash: Uint8Array;
  /** Hash of the record with the block's execution, in the log that the snapshot came from. */
  readonly record: Uint8Array;
}

/** A transaction entered the pool. */
export interface TxAdmitted {
  readonly type: 'TxAdmitted';
  readonly v: 2;
  readonly data: {
    readonly tx: Uint8Array;
    /**
     * sha256 of each transaction that left the pool for this one: the one it replaces, or those evicted to make room.
     * Absent in version 1. Printed events use this name.
     */
    readonly left: readonly Uint8Array[];
  };
}

/** Transactions left the pool without a block, because they no longer pass CheckTx. */
export interface TxDropped {
  readonly type: 'TxDropped';
  readonly v: 1;
  /** sha256 of each transaction. */
  readonly data: { readonly hashes: readonly Uint8Array[] };
}

/** The node stopped producing blocks because this build has no handler for a due upgrade plan. */
export interface UpgradeHalted {
  readonly type: 'UpgradeHalted';
  readonly v: 1;
  readonly data: { readonly name: string; readonly height: Height; readonly info: string };
}

/** A start of the node recorded the application version that runs from here on. */
export interface NodeStarted {
  readonly type: 'NodeStarted';
  readonly v: 1;
  readonly data: {
    readonly version: string;
    readonly appVersion: string;
    readonly skipUpgradeHeights: readonly Height[];
  };
}

/** An Ethereum JSON-RPC client created a polling filter, which collects events after `height` and `position`. */
export interface FilterCreated {
  readonly type: 'FilterCreated';
  readonly v: 1;
  readonly data: {
    /** Filter id, 16 random bytes. */
    readonly id: Uint8Array;
    readonly criteria: FilterCriteria;
    /** Published head when the filter was created. */
    readonly height: Height;
    readonly position: Position;
  };
}

export interface FilterRemoved {
  readonly type: 'FilterRemoved';
  readonly v: 1;
  readonly data: { readonly id: Uint8Array; readonly reason: 'uninstalled' | 'expired' };
}

/** The block clock was moved (dev mode). */
export interface TimeShifted {
  readonly type: 'TimeShifted';
  readonly v: 1;
  /** Nanoseconds added to the host clock from here on; negative when the clock was set back. */
  readonly data: { readonly shift: bigint };
}

/** A snapshot of this height was taken, to which the chain can be reverted (dev mode). */
export interface SnapshotTaken {
  readonly type: 'SnapshotTaken';
  readonly v: 1;
  /** Ids count from 1 and are never reused. */
  readonly data: { readonly id: bigint; readonly height: Height };
}

/**
 * The chain was reverted (dev mode): blocks above `toHeight` are abandoned, and heights continue from there. The
 * snapshot and all later ones are consumed. The log itself is not truncated.
 */
export interface Reverted {
  readonly type: 'Reverted';
  readonly v: 1;
  readonly data: { readonly toHeight: Height; readonly snapshot: bigint };
}

export type DevEvent = TimeShifted | SnapshotTaken | Reverted;
export type FilterEvent = FilterCreated | FilterRemoved;
export type ChainEvent = ChainStarted | SnapshotRestored | BlockDecided | BlockExecuted;
export type PoolEvent = TxAdmitted | TxDropped;
export type LogEvent = ChainEvent | PoolEvent | UpgradeHalted | NodeStarted | FilterEvent | DevEvent;

export const STREAM_OF = {
  ChainStarted: 'chain',
  SnapshotRestored: 'chain',
  BlockDecided: 'chain',
  BlockExecuted: 'chain',
  TxAdmitted: 'mempool',
  TxDropped: 'mempool',
  UpgradeHalted: 'upgrade',
  NodeStarted: 'node',
  FilterCreated: 'filters',
  FilterRemoved: 'filters',
  TimeShifted: 'node',
  SnapshotTaken: 'node',
  Reverted: 'chain',
} as const satisfies Record<LogEvent['type'], Stream>;

/** An event with its metadata in the log. */
export interface Recorded<E extends LogEvent = LogEvent> {
  readonly position: Position;
  readonly stream: Stream;
  /** Gapless position within the stream, from 1. */
  readonly streamPosition: bigint;
  readonly time: TimeNs;
  /** Id of the command that caused the event; empty when the node itself caused it. */
  readonly cause: string;
  readonly event: E;
}
