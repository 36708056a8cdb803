/**
 * Every resource limit of the node. Limits of one area are in the file of this folder named after it; the others are
 * here.
 */
import { ABCI_LIMITS } from './abci.js';
import { ACTIVITY_LIMITS } from './activity.js';
import { CACHE_LIMITS } from './caches.js';
import { CALL_LIMITS } from './calls.js';
import { COMMAND_LINE_LIMITS } from './command-line.js';
import { CONSENSUS_FACE_LIMITS } from './consensus-face.js';
import { DEV_COMMAND_LIMITS, DEV_MODE_LIMITS } from './dev-commands.js';
import { ETHEREUM_FACE_LIMITS } from './ethereum-face.js';
import { FORMAT_LIMITS } from './formats.js';
import { GRPC_LIMITS } from './grpc.js';
import { INSPECTION_LIMITS } from './inspection.js';
import { LOG_LIMITS } from './log.js';
import { MEMPOOL_LIMITS } from './mempool.js';
import { READING_LIMITS } from './reading.js';
import { REQUEST_LIMITS } from './requests.js';
import { SNAPSHOT_LIMITS } from './snapshots.js';
import { STORAGE_LIMITS } from './storage.js';
import { SUBSCRIPTION_LIMITS } from './subscriptions.js';
import { TRANSACTION_LIMITS } from './transactions.js';
import { TRANSPORT_LIMITS } from './transport.js';

/** Configurable limits. The daemon uses these values; code that creates a part of a node may pass others. */
export const DEFAULT_LIMITS = {
  ...TRANSACTION_LIMITS,
  ...REQUEST_LIMITS,
  ...CONSENSUS_FACE_LIMITS,
  ...ETHEREUM_FACE_LIMITS,
  ...SUBSCRIPTION_LIMITS,
  ...GRPC_LIMITS,
  ...MEMPOOL_LIMITS,
  ...DEV_MODE_LIMITS,
  /** Rows per page of a module query; `next_key` continues. */
  pageRows: 1_000,
  /** Rows held by a query, and unindexed postings compared by a search. */
  searchRows: 100_000,
  /** Log index rows read by one search: about ten seconds, in steps that let other work run. */
  logIndexRows: 5_000_000,
  /** Signatures per message to the sender recovery thread. */
  senderRecoveryBatch: 256,
  /** Transactions waiting to be indexed, as encoded results. */
  indexBacklogTxs: 4_096,
  /** Waiting commands of one actor, while it is busy or restarting, or the chain is reverted. */
  actorInbox: 10_000,
  /**
   * Failures of one actor within `actorRestartWindowMs` that are answered by a restart; the next one shuts the node
   * down.
   */
  actorRestarts: 2,
  /** Time window for counting an actor's failures, milliseconds. */
  actorRestartWindowMs: 60_000,
  /** Concurrent ranges over the database. Long scans delay the fsync, which shares libuv's threads with them. */
  concurrentRanges: 2,
  /** Waiting range reads; above it the answer is `busy`. */
  waitingRanges: 256,
  /** Rows per step of a range read. */
  rangeRows: 1_000,
  /** Cached values of the newest state, in the main thread and in the executor each. */
  stateCacheValues: 16_384,
  /** Recent heights for which proofs can be made. */
  provableHeights: 100,
  /** Waiting tasks (calls, estimates, traces) per queue of the pool; further ones are refused. */
  poolWaiting: 8_192,
  /** Time limit in the fast queue, milliseconds; a longer call starts over in the slow queue. */
  poolFastMs: 50,
  /** Time limit in the slow queue, milliseconds (geth `--rpc.evmtimeout`). */
  poolSlowMs: 5_000,
  /**
   * Time limit of a proof, milliseconds. The first proof of a block reads all accounts; the next one continues where it
   * stopped.
   */
  poolProofMs: 60_000,
  /**
   * Time limit of a query over more than `queryRows` rows, milliseconds: counting a million rows takes some seconds.
   */
  poolListMs: 60_000,
  /** Inputs that a subscription replay reads between two turns of the event loop. */
  replayInputsPerTurn: 32,
} as const;

/** Type of `DEFAULT_LIMITS`, with other values allowed. */
export type Limits = { readonly [Name in keyof typeof DEFAULT_LIMITS]: number };

/**
 * Limits of a dev node. One account may fill the queue, because all senders are tools of one person, and transactions
 * that alloy numbers and sends concurrently arrive in any order. anvil 1.7 has no such limit.
 */
export const DEV_LIMITS: Limits = { ...DEFAULT_LIMITS, mempoolQueuedPerAccount: DEFAULT_LIMITS.mempoolQueued };

/** Fixed limits of formats, caches and timeouts: the same in every node of this program, but not consensus rules. */
export const FIXED_LIMITS = {
  ...READING_LIMITS,
  ...STORAGE_LIMITS,
  ...ABCI_LIMITS,
  ...SNAPSHOT_LIMITS,
  ...ACTIVITY_LIMITS,
  ...DEV_COMMAND_LIMITS,
  ...INSPECTION_LIMITS,
  ...TRANSPORT_LIMITS,
  ...CALL_LIMITS,
  ...FORMAT_LIMITS,
  ...CACHE_LIMITS,
  ...LOG_LIMITS,
  ...COMMAND_LINE_LIMITS,
  /** Future rounds that one validator's votes may open (CometBFT `consensus/types/height_vote_set.go`). */
  futureRoundsPerValidator: 2,
  /** Pending pieces of evidence. */
  pendingEvidence: 100,
  /** Largest transaction simulated on the main thread, bytes; no gas limit bounds a simulation. */
  shortTxBytes: 8_192,
  /** Largest request of a query answered on the main thread, bytes: 50,000 keys in a list take 200 ms. */
  shortQueryBytes: 8_192,
  /**
   * From this size on, bytes, a transaction is checked in its own turn of the event loop; headers in it cost 0.5 us a
   * byte.
   */
  turnTxBytes: 2_048,
  /**
   * Turns of the event loop to yield before checking a transaction of `turnTxBytes`. With two, another client had to
   * wait for a second check.
   */
  turnsBeforeCheck: 4,
  /** Time limit of a graceful stop, milliseconds; a client that never reads its answer could delay it for ever. */
  stopMs: 10_000,
  /**
   * Free disk space below which block production and admission pause, bytes; room for LevelDB's compactions. On a disk
   * below 1 GiB it is an eighth of the disk.
   */
  diskReserveBytes: 128n * 1024n * 1024n,
  /** Polling interval of the free disk space, milliseconds. */
  diskWatchMs: 1_000,
  /** Bytes of the newest tables verified at start: about 15 ms. */
  tableBytesCheckedAtOpen: 4 * 1024 * 1024,
  /** Depth to which nested error causes are examined. */
  causes: 8,
  /** Attempts to take the lock of a home directory. */
  lockAttempts: 20,
  /** Pause between two attempts to take the lock of a home directory, milliseconds. */
  lockPauseMs: 50,
  /** Blocks made after the upgrade block in a rehearsal. */
  rehearsalBlocks: 1_000,
  /** Attempts to move a stale lock file away. */
  staleLockAttempts: 8,
  /** Time for running gRPC calls to end when the server closes, milliseconds. */
  grpcGraceMs: 500,
  /** Size of a faucet request, bytes; it contains one address. */
  faucetBodyBytes: 1_024,
  /** Average faucet payouts per second, for all clients together. */
  faucetPerSecond: 5,
  /** Burst of faucet payouts. */
  faucetBurst: 20,
} as const;

export { CHAIN_LIMITS } from './chain.js';
export { ETHEREUM_LIMITS } from './ethereum.js';
