import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { errorCode } from './lock.js';

/** A temporary folder. */
export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => void;
}

const folders = new Set<string>();

/** Creates an empty temporary folder with this name prefix. It is removed at process exit at the latest. */
export function makeTemporaryFolder(prefix: string): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), prefix));
  if (folders.size === 0) process.on('exit', removeAll);
  folders.add(path);
  return {
    path,
    remove: () => {
      removeFolder(path);
      folders.delete(path);
      if (folders.size === 0) process.off('exit', removeAll);
    },
  };
}

function removeAll(): void {
  for (const path of folders) removeFolder(path);
}

/**
 * Removes the folder with retries: at exit a LevelDB thread may still create files in it, and the retries of `rmSync`
 * do not remove new files.
 */
function removeFolder(path: string): void {
  for (let left: number = FIXED_LIMITS.removalAttempts; ; left -= 1) {
    try {
      return rmSync(path, { recursive: true, force: true, maxRetries: 1, retryDelay: RETRY_MS });
    } catch (error) {
      if (left === 1 || errorCode(error) !== 'ENOTEMPTY') throw error;
    }
  }
}

/** Delay between attempts, milliseconds. */
const RETRY_MS = 5;
