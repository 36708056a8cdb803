import type { ChildSpec } from '../../actors/shell/child.js';
import type { ChainBranches } from '../../core/ethereum/chain-branches.js';
import type { PacketCommands } from '../../core/ethereum/packet-commands.js';
import type { ConsensusSigner, Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Clock, Randomness, Timers } from '../../core/ports/time.js';
import type { Position } from '../../core/primitives.js';
import type { FailPoints } from '../../store/fail-points.js';
import type { LostTail } from '../../store/leveldb/unsynced-tail.js';
import type { ActorId } from './actor-ids.js';
import type { DevKeys } from '../ethereum/dev-keys.js';
import type { RecoveryThread } from '../../runtime/recovery/sender-recovery.js';
import type { ApplicationOptions } from '../../runtime/executor/application-options.js';
import type { Executor } from '../../runtime/executor/executor.js';
import type { PoolThread } from '../../runtime/pool/pool.js';
import type { DiskSpace } from '../../runtime/host/disk-space.js';
import type { ReplyThrottle } from '../../runtime/threads/reply-throttle.js';

/** Host services that a node needs besides its options. */
export interface NodeHost {
  readonly crypto: Crypto;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Real time, also where block time is virtual. */
  readonly timerClock: Clock;
  readonly randomness: Randomness;
  /** Called before a block is made, so that virtual time advances. */
  readonly onBlock: () => void;
  /** True if time advances only with blocks, so that the main thread must begin each block. */
  readonly isTimeOfBlocks: boolean;
  /**
   * Opens the database for this process alone, or creates it. `onDamage` is called when a read finds corruption,
   * `onLost` when unsynced writes are gone; `acknowledged` is the end of the log before the loss.
   */
  readonly openStore: (
    location: string,
    options: {
      readonly failPoints: FailPoints;
      readonly onDamage: (error: unknown) => void;
      readonly onLost: (lost: LostTail) => void;
      readonly acknowledged: Position | undefined;
    },
  ) => Promise<KeyValueStore>;
  /** True if there is a database; without it, the start begins a chain. */
  readonly databaseExists: (location: string) => boolean;
  /**
   * Space of the disk that holds `location`; undefined if the system does not report it. Without this function, disk
   * space is not checked.
   */
  readonly diskSpace?: (location: string) => Promise<DiskSpace | undefined>;
  /** Creates an executor that reads the same database. */
  readonly createExecutor: (store: KeyValueStore) => Executor;
  /** Starts a thread of the pool over the same database; its replies are handled in `turns`. */
  readonly startPoolThread: (
    options: ApplicationOptions,
    location: string,
    store: KeyValueStore,
    turns: ReplyThrottle,
  ) => Promise<PoolThread>;
  /** Starts the thread that recovers transaction senders; undefined if the main thread does it. */
  readonly startRecoveryThread: (() => RecoveryThread) | undefined;
  /** Least number of blocks between two anchors of pruned records; by default `FIXED_LIMITS.anchorBlocks`. */
  readonly anchorBlocks?: number;
  /** Number of pool threads for long work. */
  readonly slowThreads: number;
  /** Commands for packets that this chain sends to a second one; undefined without a second chain. */
  readonly packets?: PacketCommands | undefined;
  /** Commands for branches of this chain; undefined if the node was not started by the command line. */
  readonly chainBranches?: ChainBranches | undefined;
  /** Keys that the node signs with for Ethereum clients; none outside dev mode. */
  readonly devKeys: DevKeys;
  readonly signerOf: (seed: Uint8Array) => ConsensusSigner;
  /** Genesis JSON of a new chain; called if the home has no chain. */
  readonly genesis: (validator: ConsensusSigner) => Uint8Array;
  /** Called with each height that a start replays, on the way to `head`. */
  readonly onReplay?: ((height: bigint, head: bigint) => void) | undefined;
  /** Wraps each actor before its start, so that tests can make it fail. */
  readonly wrapActor?: (child: ChildSpec<ActorId>) => ChildSpec<ActorId>;
  readonly log: { info(message: string, fields?: object): void; error(message: string, fields?: object): void };
}
