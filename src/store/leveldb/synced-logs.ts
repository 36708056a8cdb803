import { readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { WRITE_AHEAD_LOG } from './manifest.js';
import { errorCode } from '../files/lock.js';

/**
 * Fsyncs what LevelDB does not: when its write buffer is full, LevelDB opens a new write-ahead log without syncing the
 * end of the old one or the directory entry of the new one (`DBImpl::MakeRoomForWrite` in db/db_impl.cc of
 * google/leveldb 1.20).
 */
export class SyncedLogs {
  readonly #directory: string;
  readonly #synced = new Set<string>();
  #newest: string | undefined;
  #seen: { readonly changed: bigint; readonly at: bigint } | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Call it after a synced write; when it resolves, all earlier writes are durable, too. */
  async settle(): Promise<void> {
    if (!this.#isChanged()) return;
    const logs = readdirSync(this.#directory)
      .filter((name) => WRITE_AHEAD_LOG.test(name))
      .sort((left, right) => Number.parseInt(left, 10) - Number.parseInt(right, 10));
    const newest = logs.pop();
    for (const name of this.#synced) if (!logs.includes(name)) this.#synced.delete(name);
    for (const name of logs) {
      if (this.#synced.has(name)) continue;
      await syncIfThere(join(this.#directory, name));
      this.#synced.add(name);
    }
    if (newest === this.#newest) return;
    await syncIfThere(this.#directory);
    this.#newest = newest;
  }

  /**
   * True if a file may have been created since the last call. Directory mtimes have the resolution of the kernel tick,
   * so two changes in one tick look like one; the mtime of the log just written tells the current time.
   */
  #isChanged(): boolean {
    const { mtimeNs: changed } = statSync(this.#directory, { bigint: true });
    const newest =
      this.#newest === undefined
        ? undefined
        : statSync(join(this.#directory, this.#newest), { bigint: true, throwIfNoEntry: false });
    const seen = this.#seen;
    this.#seen = { changed, at: newest?.mtimeNs ?? 0n };
    return seen?.changed !== changed || seen.at - changed < TICK_NS;
  }
}

/** Longer than one tick of the kernel clock; nanoseconds. */
const TICK_NS = 50_000_000n;

/** Fsyncs a file if it exists. The rows of a removed log are in a table that LevelDB has synced. */
async function syncIfThere(path: string): Promise<void> {
  try {
    const file = await open(path, 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
