import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { errorCode } from './lock.js';

/** A folder for files that end with their use. */
export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => void;
}

const folders = new Set<string>();

/** Makes an empty folder whose name begins with `prefix`. It is removed when the process exits at the latest. */
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
 * At an exit a thread of LevelDB may still be making files in the folder. `rmSync` waits and tries its last step again,
 * which does not remove a new file.
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

/** Time before another attempt, milliseconds. */
const RETRY_MS = 5;
