import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncPath } from './sync-path.js';

/**
 * Makes a folder, and those above it, for their owner only, with names that last; one that exists stays as it is.
 * Throws the error of the system. `mkdirSync` of Node.js with `recursive` never ends in a folder that exists and in
 * which the system makes no other, such as `/proc`.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
    syncPath(dirname(path));
  } catch (error) {
    if (isFolder(path)) return;
    const parent = dirname(path);
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing || isFolder(parent) || parent === path) throw error;
    makeFolder(parent);
    makeFolder(path);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
