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

/** The log's writes do not produce the app hash in a later header. */
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
  /** Resets the executor to a fresh one; by default it is fresh and the database has no other writer. */
  readonly open?: () => Promise<void>;
  readonly genesisWrites: readonly StateWrite[];
  /** Published head; blocks beyond it are not executed. */
  readonly through: Height;
  /** Writes a checkpoint when the trees reach this height. */
  readonly checkpoint: Height | undefined;
  /** Called with each height the trees have reached, and the number of writes applied for it. */
  readonly progress?: (height: Height, writes: number) => void;
}

/** The app hash in the header of an encoded block: that of the state before the block. */
export function appHashInHeader(block: Uint8Array): Uint8Array {
  return fromBinary(BlockSchema, block).header?.appHash ?? new Uint8Array();
}

/** The last height at or below `head` at which a checkpoint is due. */
export function dueCheckpoint(head: Height): Height {
  return toHeight(head - (head % FIXED_LIMITS.checkpointBlocks));
}

/** The section `transactions` is not needed: a block without it still has its header. */
const TREE_SECTIONS = new Set(['envelope', 'writes', 'other'] as const);

/**
 * Replays the log's writes into an executor up to the published head, from the last checkpoint or else from the
 * restored snapshot or genesis. Each app hash is compared with the next header. Resolves with the app hash of the head.
 * Throws ReplayMismatch. Writes the checkpoint that the previous run had no time to write. Starts over when an anchor
 * replaced records that were still to be read.
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
        // A reverted block has no effect on the state: continue at the next height of the current branch.
        if (!log.isOnBranch(recorded)) {
          next = height === undefined ? undefined : log.recordOf(toHeight(height + 1n))?.decided.position;
          invariant(next === undefined || next > recorded.position, 'a reverted block lies before its replacement');
          break records;
        }
        const { event } = recorded;
        if (event.type === 'ChainStarted') height = genesisHeight(event.data.initialHeight);
        if (event.type === 'BlockDecided' && event.data.height <= through) {
          const promised = appHashInHeader(event.data.block);
          if (upperHex(promised) !== upperHex(appHash)) throw new ReplayMismatch(event.data.height, promised, appHash);
        }
        if (event.type !== 'BlockExecuted' || event.data.height > through) continue;
        height = event.data.height;
        appHash = await executor.replay(height, event.data.writes);
        if ((event.v === 2 || event.v === 4) && upperHex(event.data.appHash) !== upperHex(appHash))
          throw new ReplayMismatch(toHeight(height + 1n), event.data.appHash, appHash);
        if (height === options.checkpoint) await writeCheckpoint(options, height);
        options.progress?.(height, event.data.writes.length);
        // The following records were reverted, or are beyond the head.
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
  // A newer checkpoint may have been written meanwhile.
  if (appHash === undefined && checkpointHeight(store) !== height) return restoreCheckpoint(options);
  return appHash && { appHash, height, next: toPosition(executed.position + 1n) };
}

/** Restores the trees of the snapshot that the log began with; undefined when it began with the genesis. */
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
 * Writes tree checkpoints in the background: every `checkpointBlocks` blocks, and earlier when the writes since the
 * last one would make a restart slow.
 */
export class Checkpointer {
  readonly #store: KeyValueStore;
  readonly #executor: Pick<Executor, 'checkpoint'>;
  #running: Promise<void> = Promise.resolve();
  /** Number of state writes since the last checkpoint. */
  #writes = 0;
  /** Number of writes at which the next one is due. */
  #maximum: number;

  constructor(store: KeyValueStore, executor: Pick<Executor, 'checkpoint'>) {
    this.#store = store;
    this.#executor = executor;
    this.#maximum = mostWrites(checkpointBytes(store));
  }

  /** Call it when `height` is published; `writes`: its number of writes, plus those of earlier heights not reported. */
  follow(height: Height, writes: number): void {
    this.#writes += writes;
    if (height % FIXED_LIMITS.checkpointBlocks !== 0n && this.#writes < this.#maximum) return;
    this.#writes = 0;
    // Requested now, while the trees of the height are in memory.
    const bytes = this.#executor.checkpoint(height);
    // The previous checkpoint may still be in progress when the executor is lost.
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
      // A failed store stops the node at the next block; a lost executor is rebuilt without this checkpoint.
    }
  }
}

/** Writing a checkpoint costs as much as its size, so larger checkpoints are written less often. */
function mostWrites(bytes: number): number {
  return Math.max(FIXED_LIMITS.checkpointWrites, bytes / FIXED_LIMITS.checkpointWriteBytes);
}
