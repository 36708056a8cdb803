import { genesisHeight } from '../../core/genesis/genesis-height.js';
import { fromBinary } from '@bufbuild/protobuf';
import { upperHex } from '../../core/bytes/hex.js';
import { invariant } from '../../core/errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { SnapshotRestored } from '../../core/log-events.js';
import { createMultistore } from '../../core/multistore/multistore.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toHeight, toPosition, type Height, type Position } from '../../core/primitives.js';
import { BlockSchema } from '../../core/proto/tendermint/types/block_pb.js';
import type { StateWrite } from '../../core/state/state.js';
import { CorruptionError } from '../../store/errors.js';
import { checkpointBytes, checkpointHeight, checkpointRows } from '../../store/checkpoints/checkpoints.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { Executor } from '../executor/executor.js';
import { restoreTrees } from '../snapshots/chunks.js';

/** The log's writes do not give the app hash that a later header names. */
export class ReplayMismatch extends Error {
  override readonly name = 'ReplayMismatch';
  readonly promised: string;
  readonly computed: string;

  constructor(
    readonly height: Height,
    promised: Uint8Array,
    computed: Uint8Array,
  ) {
    super(
      `app hash before height ${height}: the header says ${upperHex(promised)}, the log's writes give ${upperHex(computed)}`,
    );
    this.promised = upperHex(promised);
    this.computed = upperHex(computed);
  }
}

export interface RebuildOptions {
  readonly log: Pick<EventLog, 'read' | 'recordOf' | 'isOnBranch' | 'restored' | 'keptFrom'>;
  readonly store: Pick<KeyValueStore, 'get' | 'commit'>;
  readonly crypto: Crypto;
  readonly executor: Pick<Executor, 'genesis' | 'replay' | 'checkpoint' | 'restore'>;
  /** Makes the executor a fresh one; without it, it is one, and nothing else writes the database. */
  readonly open?: () => Promise<void>;
  readonly genesisWrites: readonly StateWrite[];
  /** Published head: what lies beyond it was not executed. */
  readonly through: Height;
  /** A checkpoint is written when the trees have come to this height. */
  readonly checkpoint: Height | undefined;
  /** Called with each height that the trees have come to, and of the number of writes that were applied for it. */
  readonly progress?: (height: Height, writes: number) => void;
}

/** The app hash that the header of an encoded block has: that of the state before the block. */
export function promisedAppHash(block: Uint8Array): Uint8Array {
  return fromBinary(BlockSchema, block).header?.appHash ?? new Uint8Array();
}

/** The height at or below `head` at which a checkpoint is due. */
export function dueCheckpoint(head: Height): Height {
  return toHeight(head - (head % FIXED_LIMITS.checkpointBlocks));
}

/** Without the transactions a block still has its header. */
const TREE_SECTIONS = new Set(['envelope', 'writes', 'other'] as const);

/**
 * Brings an executor to the published head: from the last checkpoint, else from the beginning, which is the
 * snapshot that was restored or the genesis, by the writes in the log. Each app hash is compared with the next header.
 * Answers the app hash of the head. Throws ReplayMismatch. A checkpoint that the life before had no time to write is
 * written. It begins again when an anchor took the place of records that were still to be read.
 */
export async function rebuildTrees(options: RebuildOptions): Promise<Uint8Array> {
  const { log, open } = options;
  const keptFrom = log.keptFrom();
  await open?.();
  try {
    return await rebuilt(options);
  } catch (error) {
    if (open === undefined || log.keptFrom() === keptFrom) throw error;
    return rebuildTrees(options);
  }
}

async function rebuilt(options: RebuildOptions): Promise<Uint8Array> {
  const { log, executor, through } = options;
  const restored = (await restoreCheckpoint(options)) ?? (await restoreSnapshot(options));
  let appHash: Uint8Array = restored?.appHash ?? options.crypto.sha256(new Uint8Array());
  if (restored === undefined) await executor.genesis(options.genesisWrites);
  if (restored?.height === through || (restored === undefined && log.recordOf(through) === undefined)) return appHash;
  let height = restored?.height;
  let from: Position | undefined = restored?.next ?? toPosition(1n);
  while (from !== undefined) {
    let next: Position | undefined;
    records: for await (const events of log.read({ from, sections: TREE_SECTIONS })) {
      for (const recorded of events) {
        // Blocks that a revert abandoned left no trace in the state: go on where the next height of the branch lies.
        if (!log.isOnBranch(recorded)) {
          next = height === undefined ? undefined : log.recordOf(toHeight(height + 1n))?.decided.position;
          invariant(
            next === undefined || next > recorded.position,
            'what was abandoned lies before what took its place',
          );
          break records;
        }
        const { event } = recorded;
        if (event.type === 'ChainStarted') height = genesisHeight(event.data.initialHeight);
        if (event.type === 'BlockDecided' && event.data.height <= through) {
          const promised = promisedAppHash(event.data.block);
          if (upperHex(promised) !== upperHex(appHash)) throw new ReplayMismatch(event.data.height, promised, appHash);
        }
        if (event.type !== 'BlockExecuted' || event.data.height > through) continue;
        height = event.data.height;
        appHash = await executor.replay(height, event.data.writes);
        if ((event.v === 2 || event.v === 4) && upperHex(event.data.appHash) !== upperHex(appHash))
          throw new ReplayMismatch(toHeight(height + 1n), event.data.appHash, appHash);
        if (height === options.checkpoint) await writeCheckpoint(options, height);
        options.progress?.(height, event.data.writes.length);
        // The following records were abandoned, or are beyond the head.
        if (height === through) return appHash;
      }
    }
    from = next;
  }
  return appHash;
}

async function writeCheckpoint({ store, executor }: RebuildOptions, height: Height): Promise<void> {
  const bytes = await executor.checkpoint(height);
  invariant(bytes !== undefined, 'the trees have come to the height of the checkpoint');
  await store.commit(checkpointRows(store, { height, bytes }), { sync: false });
}

async function restoreCheckpoint(
  options: RebuildOptions,
): Promise<{ readonly appHash: Uint8Array; readonly height: Height; readonly next: Position } | undefined> {
  const { store, log, executor, through } = options;
  const height = checkpointHeight(store);
  if (height === undefined || height > through) return undefined;
  const executed = log.recordOf(height)?.executed;
  if (executed === undefined) return undefined;
  const appHash = await executor.restore(height);
  // another one may have been written meanwhile
  if (appHash === undefined && checkpointHeight(store) !== height) return restoreCheckpoint(options);
  return appHash && { appHash, height, next: toPosition(executed.position + 1n) };
}

/** The trees of the snapshot that the log began with; undefined for a log that began with the genesis. */
async function restoreSnapshot({ log, crypto, executor, through }: RebuildOptions) {
  const found = log.restored();
  if (found === undefined || found.event.data.height > through) return undefined;
  const { position } = found;
  for await (const [recorded] of log.read({ from: position, limit: 1 })) {
    invariant(recorded?.event.type === 'SnapshotRestored', 'the row of the restored snapshot names it');
    const { data } = recorded.event;
    const appHash = await executor.restore(await imageOf(crypto, data));
    invariant(appHash !== undefined, 'the trees of a snapshot can be restored');
    return { appHash, height: data.height, next: toPosition(position + 1n) };
  }
  throw new CorruptionError('the restored snapshot is missing', { position });
}

async function imageOf(crypto: Crypto, restored: SnapshotRestored['data']): Promise<Uint8Array> {
  const trees = createMultistore({ stores: [], crypto, provableHeights: 1 });
  await restoreTrees(trees, restored);
  return trees.snapshotBytes();
}

/**
 * Writes a checkpoint after every thousandth block, and before those that follow the last one have more writes than a
 * start should apply again; behind the head and off its path.
 */
export class Checkpointer {
  readonly #store: KeyValueStore;
  readonly #executor: Pick<Executor, 'checkpoint'>;
  #running: Promise<void> = Promise.resolve();
  /** Writes after the last checkpoint. */
  #writes = 0;
  /** Writes for which the next one is due. */
  #maximum: number;

  constructor(store: KeyValueStore, executor: Pick<Executor, 'checkpoint'>) {
    this.#store = store;
    this.#executor = executor;
    this.#maximum = mostWrites(checkpointBytes(store));
  }

  /** Called when `height` is published with so many writes, those of heights before it that were not told included. */
  follow(height: Height, writes: number): void {
    this.#writes += writes;
    if (height % FIXED_LIMITS.checkpointBlocks !== 0n && this.#writes < this.#maximum) return;
    this.#writes = 0;
    // Asked at once, while the trees of the height are in memory.
    const bytes = this.#executor.checkpoint(height);
    // The checkpoint before it may still be written when the executor is lost.
    bytes.catch(() => undefined);
    this.#running = this.#running.then(() => this.#write(height, bytes));
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async #write(height: Height, answer: Promise<Uint8Array | undefined>): Promise<void> {
    try {
      const bytes = await answer;
      if (bytes === undefined) return;
      this.#maximum = mostWrites(bytes.length);
      await this.#store.commit(checkpointRows(this.#store, { height, bytes }), { sync: false });
    } catch {
      // A failed store stops the node at its next block; a lost executor is rebuilt without this checkpoint.
    }
  }
}

/** An image costs as much as its size: the larger the last one is, the more writes the next one is for. */
function mostWrites(bytes: number): number {
  return Math.max(FIXED_LIMITS.checkpointWrites, bytes / FIXED_LIMITS.checkpointWriteBytes);
}
