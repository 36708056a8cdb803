import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../store/make-folder.js';

/** Writes a file completely or not at all, readable by its owner only. */
export function writeFileWhole(path: string, text: string): void {
  makeFolder(dirname(path));
  const temporary = `${path}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
