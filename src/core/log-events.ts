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

/** The chain began. The event records facts that the genesis does not contain, as they were resolved once. */
export interface ChainStarted {
  readonly type: 'ChainStarted';
  readonly v: 1;
  readonly data: {
    readonly chainId: string;
    readonly evmChainId: bigint;
    readonly bech32Prefix: string;
    readonly preset: string;
    /** The genesis document, as the exact bytes that clients get from /genesis. */
    readonly genesis: Uint8Array;
    readonly initialHeight: Height;
    /** Encoded tendermint.types.ValidatorSet of the first height. */
    readonly validators: Uint8Array;
    /** Encoded tendermint.types.ConsensusParams after InitChain. */
    readonly consensusParams: Uint8Array;
    readonly writes: readonly StateWrite[];
  };
}

/** A block was decided: by the consensus of this process, or by an engine that drives the application over ABCI. */
export type BlockDecided = BlockDecidedBefore | BlockDecidedHere | BlockDecidedOutside;

/** A decision as earlier builds wrote it: the events of its rounds are text. */
export interface BlockDecidedBefore {
  readonly type: 'BlockDecided';
  readonly v: 1;
  readonly data: Omit<BlockDecidedHere['data'], 'trace'> & {
    /** Consensus events of the height that preceded the decision, in order: `[type, JSON value]`. */
    readonly trace: readonly { readonly type: string; readonly value: string }[];
  };
}

export interface BlockDecidedHere {
  readonly type: 'BlockDecided';
  readonly v: 3;
  readonly data: {
    readonly height: Height;
    /** Encoded tendermint.types.Block (header, transactions, evidence, last commit). */
    readonly block: Uint8Array;
    /** Encoded tendermint.types.Commit that decided this block (the "seen" commit). */
    readonly commit: Uint8Array;
    /** Notices of consensus about the rounds of the height before the decision, in order. */
    readonly trace: readonly ConsensusNotice[];
  };
}

/**
 * A block as FinalizeBlock describes it (CometBFT v0.38 spec/abci/abci++_methods.md): the engine keeps the encoding of
 * the block, its commit and its rounds.
 */
export interface BlockDecidedOutside {
  readonly type: 'BlockDecided';
  readonly v: 2;
  readonly data: {
    readonly height: Height;
    /**
     * Encoded tendermint.types.Block of the known parts: the transactions and, of the header, chain id, height, time,
     * hash of the block before, app hash after that block, hash of the next validators, proposer.
     */
    readonly block: Uint8Array;
    /** Hash of the whole header. */
    readonly hash: Uint8Array;
    /** Encoded tendermint.abci.CommitInfo: round and votes of the commit of the block before. */
    readonly lastCommit: Uint8Array;
    /** Encoded tendermint.abci.Misbehavior, each. */
    readonly misbehavior: readonly Uint8Array[];
  };
}

/**
 * A block was executed. Versions 3 and 4 are versions 1 and 2 of a block whose transactions touched addresses in frames
 * inside of them; earlier builds did not write these down. Versions 2 and 4 follow a decision of version 2 and hold the
 * app hash, which no later header of the log's own chain is sure to name: the engine receives it before the block is in
 * the log.
 */
export type BlockExecuted = BlockExecutedHere | BlockExecutedOutside;

export interface BlockExecutedHere {
  readonly type: 'BlockExecuted';
  readonly v: 1 | 3;
  readonly data: BlockExecution;
}

export interface BlockExecutedOutside {
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
  /** Indices ascend. Absent in versions 1 and 2. */
  readonly touched?: readonly Touched[];
}

/** The state after a block came from a snapshot, before this log had a block: its first block is the next one. */
export type SnapshotRestored = SnapshotRestoredOutside | SnapshotRestoredHere;

/**
 * A snapshot of another node that an engine outside fetched (CometBFT v0.38 spec/abci/abci++_methods.md,
 * ApplySnapshotChunk): what the state tells of the chain was resolved once, and the engine knows the rest.
 */
export interface SnapshotRestoredOutside {
  readonly type: 'SnapshotRestored';
  readonly v: 1;
  readonly data: RestoredState;
}

/** A snapshot of a node without an engine, from which this program goes on to make blocks. */
export interface SnapshotRestoredHere {
  readonly type: 'SnapshotRestored';
  readonly v: 2;
  readonly data: RestoredState & { readonly head: SnapshotHead };
}

interface RestoredState {
  readonly height: Height;
  /** After executing `height`. */
  readonly appHash: Uint8Array;
  /** Time of the block of `height`. */
  readonly time: TimeNs;
  /** Hash of that block; empty when the state does not tell it. */
  readonly blockHash: Uint8Array;
  /** Encoded tendermint.types.ValidatorSet of the next block, and of the block after it. */
  readonly validators: Uint8Array;
  readonly nextValidators: Uint8Array;
  /** Encoded tendermint.types.ConsensusParams of the next block. */
  readonly consensusParams: Uint8Array;
  readonly upgradeHeight: Height | undefined;
  /** Number of the format of `chunks`. */
  readonly format: number;
  /** Every node of the trees with its version, and every value. */
  readonly chunks: LoggedChunks;
}

/** The chunks of a snapshot as they came. Those of an anchor are read from the database while they are iterated. */
export type LoggedChunks = readonly Uint8Array[] | AsyncIterable<Uint8Array>;

/** The chunks that are in memory with their event; undefined for those of an anchor. */
export function heldChunks(chunks: LoggedChunks): readonly Uint8Array[] | undefined {
  return Symbol.asyncIterator in chunks ? undefined : chunks;
}

/** The head of a chain at a snapshot, which the next block names and carries (CometBFT v0.38 `state/state.go`). */
export interface SnapshotHead {
  /** Encoded tendermint.types.Header of the block, BlockID of it, and the Commit that decided it. */
  readonly header: Uint8Array;
  readonly blockId: Uint8Array;
  readonly commit: Uint8Array;
  /** Encoded tendermint.types.ValidatorSet that signed the commit. */
  readonly lastValidators: Uint8Array;
  /** Hash of the block's results, which the next header has. */
  readonly lastResultsHash: Uint8Array;
  /** Hash of the record with the block's execution, in the log of which the snapshot is. */
  readonly record: Uint8Array;
}

/** A transaction entered the pool. */
export interface TxAdmitted {
  readonly type: 'TxAdmitted';
  readonly v: 2;
  readonly data: {
    readonly tx: Uint8Array;
    /**
     * sha256 of each transaction that left the pool for it: what it replaces, or what had to make room. Version 1 did
     * not tell. Printed events have this name.
     */
    readonly left: readonly Uint8Array[];
  };
}

/** Transactions left the pool without a block: they passed CheckTx no longer. */
export interface TxDropped {
  readonly type: 'TxDropped';
  readonly v: 1;
  /** sha256 of each. */
  readonly data: { readonly hashes: readonly Uint8Array[] };
}

/** The node stopped producing blocks because this build has no handler for a due plan. */
export interface UpgradeHalted {
  readonly type: 'UpgradeHalted';
  readonly v: 1;
  readonly data: { readonly name: string; readonly height: Height; readonly info: string };
}

/** A start recorded the application version that runs from here on. */
export interface NodeStarted {
  readonly type: 'NodeStarted';
  readonly v: 1;
  readonly data: {
    readonly version: string;
    readonly appVersion: string;
    readonly skipUpgradeHeights: readonly Height[];
  };
}

/** A client of the Ethereum face created a polling filter, which collects events after `height` and `position`. */
export interface FilterCreated {
  readonly type: 'FilterCreated';
  readonly v: 1;
  readonly data: {
    /** 16 random bytes. */
    readonly id: Uint8Array;
    readonly criteria: FilterCriteria;
    /** Published head at the time of the request. */
    readonly height: Height;
    readonly position: Position;
  };
}

export interface FilterRemoved {
  readonly type: 'FilterRemoved';
  readonly v: 1;
  readonly data: { readonly id: Uint8Array; readonly reason: 'uninstalled' | 'expired' };
}

/** The clock of the blocks was moved (dev mode). */
export interface TimeShifted {
  readonly type: 'TimeShifted';
  readonly v: 1;
  /** Nanoseconds added to the clock of the host from here on, negative when the clock was set back. */
  readonly data: { readonly shift: bigint };
}

/** A snapshot of this height was taken, to which the chain may be reverted (dev mode). */
export interface SnapshotTaken {
  readonly type: 'SnapshotTaken';
  readonly v: 1;
  /** Ids are counted from 1 and never reused. */
  readonly data: { readonly id: bigint; readonly height: Height };
}

/**
 * The chain was reverted (dev mode): blocks above `toHeight` are abandoned, and heights continue from it. The snapshot
 * and all later ones are used up. The log itself is not cut.
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

/** An event with the data that the log keeps about it. */
export interface Recorded<E extends LogEvent = LogEvent> {
  readonly position: Position;
  readonly stream: Stream;
  /** Gapless position inside the stream; the first is 1. */
  readonly streamPosition: bigint;
  readonly time: TimeNs;
  /** Id of the command that caused the event; empty when the node itself caused it. */
  readonly cause: string;
  readonly event: E;
}
