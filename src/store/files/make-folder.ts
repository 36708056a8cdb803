import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncPath } from './sync-path.js';

/**
 * Creates a folder and its missing parents (mode 0700) and fsyncs their directory entries. An existing folder is left
 * unchanged. Throws the system's error. Not `mkdirSync` with `recursive`: it loops forever below a folder that refuses
 * new entries, such as `/proc`.
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
