/** All limits of the node. The limits of one part are in the file of this folder with its name; the rest are here. */
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

/** Resource limits of the node. The daemon uses these values; code that creates a part of a node may pass others. */
export const DEFAULT_LIMITS = {
  ...TRANSACTION_LIMITS,
  ...REQUEST_LIMITS,
  ...CONSENSUS_FACE_LIMITS,
  ...ETHEREUM_FACE_LIMITS,
  ...SUBSCRIPTION_LIMITS,
  ...GRPC_LIMITS,
  ...MEMPOOL_LIMITS,
  ...DEV_MODE_LIMITS,
  /** Rows of one page of a module's query; `next_key` continues. */
  pageRows: 1_000,
  /** Largest number of rows that a query holds, and of postings outside of the index that a search compares. */
  searchRows: 100_000,
  /** Rows of the index of logs that one search reads: about ten seconds, in steps between which others are served. */
  logIndexRows: 5_000_000,
  /** Signatures that go to the thread that recovers senders in one message. */
  senderRecoveryBatch: 256,
  /** Transactions of executed blocks that wait for the attribute index, as the bytes of their results. */
  indexBacklogTxs: 4_096,
  /** Commands that wait for one actor while it handles another one, is restarted, or the chain goes back. */
  actorInbox: 10_000,
  /** Failures of one actor within `actorRestartWindowMs` that restart it; at the next one the node drains. */
  actorRestarts: 2,
  /** Time in which the failures of one actor are counted, milliseconds. */
  actorRestartWindowMs: 60_000,
  /** Concurrent ranges over the database. Long scans delay the fsync, which shares libuv's threads with them. */
  concurrentRanges: 2,
  /** Waiting ranges; beyond it the answer is `busy`. */
  waitingRanges: 256,
  /** Rows of one step of a range. */
  rangeRows: 1_000,
  /** Values of the newest state in memory, once on main and once in the executor. */
  stateCacheValues: 16_384,
  /** Heights that stay provable. */
  provableHeights: 100,
  /** Calls, estimates and traces that wait for a thread of the pool, in each lane; further ones are refused. */
  poolWaiting: 8_192,
  /** Time of a call in the fast lane, milliseconds; afterwards it starts again in the slow lane. */
  poolFastMs: 50,
  /** Time of a call in the slow lane, milliseconds (geth `--rpc.evmtimeout`). */
  poolSlowMs: 5_000,
  /** Time of a proof, milliseconds: the first of a block reads all accounts. The next one goes on where it ended. */
  poolProofMs: 60_000,
  /** Time of a query of more than `queryRows` rows, milliseconds: to count a million takes some seconds. */
  poolListMs: 60_000,
  /** Inputs that a replay reads between two turns of the event loop. */
  replayInputsPerTurn: 32,
} as const;

/** The limits of a part of the node, by their names in `DEFAULT_LIMITS`. */
export type Limits = { readonly [Name in keyof typeof DEFAULT_LIMITS]: number };

/**
 * Limits of a dev node. All of its senders are programs of one person, and transactions that alloy numbers and sends
 * side by side come in any order: one account may fill the queue. anvil 1.7 has no such limit.
 */
export const DEV_LIMITS: Limits = { ...DEFAULT_LIMITS, mempoolQueuedPerAccount: DEFAULT_LIMITS.mempoolQueued };

/** Limits of single formats, caches and waits: the same in every node of this program, and no rule of the chain. */
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
  /** Future rounds that one validator opens by its votes (CometBFT `consensus/types/height_vote_set.go`). */
  futureRoundsPerValidator: 2,
  /** Pieces of evidence that wait for a block. */
  pendingEvidence: 100,
  /** Bytes of a transaction up to which it is simulated on the main thread; no gas limit bounds a simulation. */
  shortTxBytes: 8_192,
  /** Bytes of a transaction from which its check has a turn of the event loop; headers in it cost 0.5 us a byte. */
  turnTxBytes: 2_048,
  /**
   * Turns of the event loop before the check of a transaction of `turnTxBytes`; with two, another client waited for a
   * second check.
   */
  turnsBeforeCheck: 4,
  /** Time of a graceful stop, milliseconds; a client that never reads its answer could delay it for ever. */
  stopMs: 10_000,
  /**
   * Free bytes of the disk below which block production and admission pause: room for LevelDB's compactions. On a disk
   * of less than 1 GiB it is an eighth of the disk.
   */
  diskReserveBytes: 128n * 1024n * 1024n,
  /** Time between two looks at the free space of the disk, milliseconds. */
  diskWatchMs: 1_000,
  /** Bytes of the newest tables whose checksums a start compares: about 15 ms. */
  tableBytesCheckedAtOpen: 4 * 1024 * 1024,
  /** Nested causes of a failure that are examined. */
  causes: 8,
  /** Attempts to take the lock of a home directory. */
  lockAttempts: 20,
  /** Pause between two attempts to take the lock of a home directory, milliseconds. */
  lockPauseMs: 50,
  /** Blocks that the rehearsal of an upgrade makes after the one of the upgrade. */
  rehearsalBlocks: 1_000,
  /** Attempts to move aside a lock whose process is gone. */
  staleLockAttempts: 8,
  /** Time for running gRPC calls to end when the server closes, milliseconds. */
  grpcGraceMs: 500,
  /** Bytes of a request to the faucet, which holds one address. */
  faucetBodyBytes: 1_024,
  /** Gifts of the faucet in a second, in the long run; all clients share them. */
  faucetPerSecond: 5,
  /** Gifts of the faucet at once. */
  faucetBurst: 20,
} as const;

export { CHAIN_LIMITS } from './chain.js';
export { ETHEREUM_LIMITS } from './ethereum.js';
