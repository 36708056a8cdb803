import { readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { WRITE_AHEAD_LOG } from './manifest.js';
import { errorCode } from '../files/lock.js';

/**
 * Brings what LevelDB leaves behind to the disk: it opens a new write-ahead log when its rows in memory are many, and
 * syncs neither the end of the old one nor the name of the new one (`DBImpl::MakeRoomForWrite` in db/db_impl.cc of
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

  /** After a synced write: everything that was written before it is on the disk when this resolves. */
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
   * Tells whether a file may have come since the last look. The kernel dates changes by its tick, so that two changes
   * of one tick look like one; the log that was just written tells the time.
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

/** More than a tick of the kernel's clock; nanoseconds. */
const TICK_NS = 50_000_000n;

/** A log that is gone stands in a table that was synced. */
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
