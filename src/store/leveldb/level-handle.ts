import { Level } from 'level';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { WriteOrder } from './in-turns.js';
import { levelError } from './level-errors.js';
import { SyncedLogs } from './synced-logs.js';

type Database = Level<Uint8Array, Uint8Array>;

/** Keys and values are byte arrays. */
const VIEWS = { keyEncoding: 'view', valueEncoding: 'view' } as const;
/**
 * LevelDB compacts half as much as with its default of 4 MiB of rows in memory. It compresses each of its blocks alone,
 * and what repeats from one block of the chain to the next is written once in each: in 16 KiB the database takes a
 * third less room than in the default of 4 KiB. The cache holds as many of them as its default did. Every 32nd key is
 * written whole, not every 16th.
 */
const OPENED = {
  multithreading: true,
  writeBufferSize: FIXED_LIMITS.writeBufferBytes,
  blockSize: FIXED_LIMITS.levelBlockBytes,
  blockRestartInterval: FIXED_LIMITS.levelWholeKeys,
  cacheSize: FIXED_LIMITS.levelCacheBytes,
} as const;

/** The owner of a handle of the database. */
export interface Owner {
  readonly directory: string;
  /** Throws when the database is no longer ours; called before each commit. */
  check(isSynced: boolean): void;
  closed(): void;
}

/** The owner of files that nobody replaces. */
export function ownerOf(directory: string, closed: () => void): Owner {
  return { directory, check: () => undefined, closed };
}

/** Opens the database in `path`, which must exist. Throws CorruptionError, or LevelDB's own error. */
export async function openDatabase(path: string): Promise<Database> {
  const database: Database = new Level<Uint8Array, Uint8Array>(path, VIEWS);
  try {
    await database.open({ createIfMissing: false, ...OPENED });
  } catch (error) {
    throw levelError(error, path);
  }
  return database;
}

/** Makes an empty database in the folder `path` and closes it. Throws when there is one. */
export async function createEmpty(path: string): Promise<void> {
  const database = new Level(path, VIEWS);
  await database.open({ createIfMissing: true, errorIfExists: true, ...OPENED });
  await database.close();
}

/** The LevelDB of Node.js; that of browsers has no tables. */
interface Compacting {
  compactRange(start: Uint8Array, end: Uint8Array): Promise<void>;
  approximateSize(start: Uint8Array, end: Uint8Array): Promise<number>;
}

function isCompacting(database: Database): database is Database & Compacting {
  return 'compactRange' in database;
}

/** An open database as the rest of the store uses it: plain bytes, commits in turns, and errors of this project. */
export class LevelHandle implements KeyValueStore {
  readonly #database: Database;
  readonly #owner: Owner;
  readonly #logs: SyncedLogs;
  readonly #order = new WriteOrder();

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
   * A chained batch: the binding takes each row as arguments, which costs a third of reading it out of an array of
   * objects.
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
      await this.#order.write(operations, take, () => batch.write({ sync }), before);
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

/** LevelDB's Node binding returns Buffers, whose `slice` shares bytes; this returns plain arrays. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
