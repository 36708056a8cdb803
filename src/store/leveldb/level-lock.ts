import { existsSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Level } from 'level';
import { HomeLockedError } from '../errors.js';
import { levelError } from './level-errors.js';
import { hasDoubtfulLock } from '../files/lock.js';
import { makeTemporaryFolder } from '../files/temporary-folder.js';

/**
 * Throws HomeLockedError when the lock file's holder seems dead but LevelDB's own lock is held: pids are meaningless
 * across containers, a kernel lock is not. The database itself is not opened; the probe opens a temporary one whose
 * LOCK is a symbolic link to the LOCK of `directory`.
 */
export async function refuseLevelLocked(directory: string): Promise<void> {
  const lock = join(resolve(dirname(directory)), basename(directory), 'LOCK');
  if (process.platform === 'win32' || !hasDoubtfulLock(directory) || !existsSync(lock)) return;
  const { path: probe, remove } = makeTemporaryFolder('chronicle-lock-');
  try {
    symlinkSync(lock, join(probe, 'LOCK'));
    const database = new Level(probe);
    await database.open();
    await database.close();
  } catch (error) {
    const meaning = levelError(error, directory);
    if (meaning instanceof HomeLockedError) throw meaning;
  } finally {
    remove();
  }
}
