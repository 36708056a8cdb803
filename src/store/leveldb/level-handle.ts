import { setImmediate } from 'node:timers/promises';
import { Level } from 'level';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { inSlices, slicesOf } from './write-order.js';
import { levelError } from './level-errors.js';
import { SyncedLogs } from './synced-logs.js';

type Database = Level<Uint8Array, Uint8Array>;

/** Keys and values are byte arrays. */
const VIEWS = { keyEncoding: 'view', valueEncoding: 'view' } as const;
/**
 * A larger write buffer than the default 4 MiB halves compaction. LevelDB compresses each block alone, and consecutive
 * chain blocks repeat much, so 16 KiB blocks take a third less space than the default 4 KiB; the cache holds as many
 * blocks as by default. Every 32nd key is written in full instead of every 16th.
 */
const OPENED = {
  multithreading: true,
  writeBufferSize: FIXED_LIMITS.writeBufferBytes,
  blockSize: FIXED_LIMITS.levelBlockBytes,
  blockRestartInterval: FIXED_LIMITS.levelRestartInterval,
  cacheSize: FIXED_LIMITS.levelCacheBytes,
} as const;

/** The party that opened a database handle and is told when it closes. */
export interface Owner {
  readonly directory: string;
  /** Throws HomeReplacedError when the lock or folder is no longer ours; called before each commit. */
  check(isSynced: boolean): void;
  closed(): void;
}

/** An owner without checks, for files that no other process can replace. */
export function ownerOf(directory: string, closed: () => void): Owner {
  return { directory, check: () => undefined, closed };
}

/** Opens the existing database in `path`. Throws CorruptionError, or LevelDB's own error. */
export async function openDatabase(path: string): Promise<Database> {
  const database: Database = new Level<Uint8Array, Uint8Array>(path, VIEWS);
  try {
    await database.open({ createIfMissing: false, ...OPENED });
  } catch (error) {
    throw levelError(error, path);
  }
  return database;
}

/** Creates an empty database in the folder `path` and closes it. Throws when there is one already. */
export async function createEmpty(path: string): Promise<void> {
  const database = new Level(path, VIEWS);
  await database.open({ createIfMissing: true, errorIfExists: true, ...OPENED });
  await database.close();
}

/** Methods of classic-level that browser builds lack. */
interface Compacting {
  compactRange(start: Uint8Array, end: Uint8Array): Promise<void>;
  approximateSize(start: Uint8Array, end: Uint8Array): Promise<number>;
}

function isCompacting(database: Database): database is Database & Compacting {
  return 'compactRange' in database;
}

/**
 * An open LevelDB as a KeyValueStore: plain byte arrays and this project's errors. It does not order commits that are
 * in progress side by side; `withRowChecksums` does.
 */
export class LevelHandle implements KeyValueStore {
  readonly #database: Database;
  readonly #owner: Owner;
  readonly #logs: SyncedLogs;

  constructor(database: Database, owner: Owner) {
    this.#database = database;
    this.#owner = owner;
    this.#logs = new SyncedLogs(database.location);
  }

  get(key: Uint8Array): Uint8Array | undefined {
    try {
      return this.#database.getSync(key);
    } catch (error) {
      throw levelError(error, this.#owner.directory);
    }
  }

  async compact(start: Uint8Array, end: Uint8Array): Promise<void> {
    if (isCompacting(this.#database)) await this.#database.compactRange(start, end);
  }

  async sizeOf(start: Uint8Array, end: Uint8Array): Promise<number> {
    return isCompacting(this.#database) ? this.#database.approximateSize(start, end) : 0;
  }

  async range({
    start,
    end,
    reverse = false,
    limit,
  }: Parameters<KeyValueStore['range']>[0]): ReturnType<KeyValueStore['range']> {
    try {
      const rows = await this.#database.iterator({ gte: start, lt: end, reverse, limit }).all();
      return rows.map(([key, value]) => ({ key: plain(key), value }));
    } catch (error) {
      throw levelError(error, this.#owner.directory);
    }
  }

  /**
   * Uses a chained batch, which is a third cheaper than an array of operations: the binding receives each row as
   * arguments.
   */
  async commit(
    operations: Parameters<KeyValueStore['commit']>[0],
    { sync, before }: Parameters<KeyValueStore['commit']>[1],
  ): Promise<void> {
    this.#owner.check(sync);
    const batch = this.#database.batch();
    const take = (slice: typeof operations): void => {
      for (const operation of slice) {
        if (operation.type === 'put') batch.put(operation.key, operation.value);
        else batch.del(operation.key);
      }
    };
    try {
      for (const slice of slicesOf(before ?? [], FIXED_LIMITS.madeRowsPerTurn)) {
        take(slice);
        await setImmediate();
      }
      await inSlices(operations, take);
      await batch.write({ sync });
      if (sync) await this.#logs.settle();
    } catch (error) {
      throw levelError(error, this.#owner.directory);
    }
  }

  async close(): Promise<void> {
    await this.#database.close();
    this.#owner.closed();
  }
}

/** Converts the binding's Buffer, whose `slice` shares memory, to a plain array. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
