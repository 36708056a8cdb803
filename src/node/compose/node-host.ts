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

/** The host services that the composition needs besides the options. */
export interface NodeHost {
  readonly crypto: Crypto;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Passes as the timers do, also where the time of the blocks is virtual. */
  readonly timerClock: Clock;
  readonly randomness: Randomness;
  /** A block is about to be made: virtual time moves. */
  readonly onBlock: () => void;
  /** True where time moves only with each block, so that each is begun on the main thread. */
  readonly isTimeOfBlocks: boolean;
  /**
   * Opens the database for this process alone; creates it when it is absent. `onDamage` is called with damage that a
   * read finds, `onLost` with writes that were not synced and are gone; `acknowledged` is the end of the log that was.
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
  /**
   * Space of the disk that holds `location`; undefined when the system does not say. Without this, space is never
   * looked at.
   */
  readonly diskSpace?: (location: string) => Promise<DiskSpace | undefined>;
  /** A fresh executor that reads the same database. */
  readonly createExecutor: (store: KeyValueStore) => Executor;
  /** A thread of the pool, opened over the same database, whose replies are handled in `turns`. */
  readonly startPoolThread: (
    options: ApplicationOptions,
    location: string,
    store: KeyValueStore,
    turns: ReplyThrottle,
  ) => Promise<PoolThread>;
  /** Starts the thread that recovers senders; undefined where the main thread does. */
  readonly startRecoveryThread: (() => RecoveryThread) | undefined;
  /** Blocks from one anchor of pruned records to the next at least; `FIXED_LIMITS.anchorBlocks` without it. */
  readonly anchorBlocks?: number;
  /** Threads of the pool for work that takes long. */
  readonly slowThreads: number;
  /** Commands for the packets of this chain to a second one; undefined without one. */
  readonly packets?: PacketCommands | undefined;
  /** Commands for branches of this chain; undefined where no command line runs the node. */
  readonly chainBranches?: ChainBranches | undefined;
  /** Keys that the node signs with for Ethereum clients; none outside dev mode. */
  readonly devKeys: DevKeys;
  readonly signerOf: (seed: Uint8Array) => ConsensusSigner;
  /** JSON of the genesis that founds a new chain; called when the home has none. */
  readonly genesis: (validator: ConsensusSigner) => Uint8Array;
  /** Called with each height that a start has applied again, on the way to `head`. */
  readonly onReplay?: ((height: bigint, head: bigint) => void) | undefined;
  /** Wraps each actor before it is started, so that it can be made to fail. */
  readonly wrapActor?: (child: ChildSpec<ActorId>) => ChildSpec<ActorId>;
  readonly log: { info(message: string, fields?: object): void; error(message: string, fields?: object): void };
}
