import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../store/files/make-folder.js';
import { syncPath } from '../../store/files/sync-path.js';

/** Writes a file atomically and durably (temporary file, fsync, rename), readable by its owner only. */
export function writeFileAtomic(path: string, content: string | Uint8Array): void {
  makeFolder(dirname(path));
  const temporary = `${path}.tmp`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flush: true });
    renameSync(temporary, path);
    syncPath(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
