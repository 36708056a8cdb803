/**
 * Creates a database directory completely or not at all: it is filled beside its final place, marked, synced and
 * renamed. A power loss during LevelDB's own creation leaves files that LevelDB cannot open: CURRENT may point to an
 * empty MANIFEST.
 */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CorruptionError } from '../errors.js';
import type { FailPoints } from '../fail-points.js';
import { MARKER, MARKER_TEXT } from './format.js';
import { makeFolder } from '../files/make-folder.js';
import { syncPath } from '../files/sync-path.js';

/**
 * Creates `directory` with `fill`, beside it in `temporary`, when it is absent or empty. Throws CorruptionError when it
 * holds files but no marker: this program did not make them and does not delete them.
 */
export async function createOnce(
  directory: string,
  fill: (temporary: string) => Promise<void>,
  failPoints: FailPoints,
  temporary = `${directory}.tmp`,
): Promise<void> {
  if (existsSync(join(directory, MARKER))) return;
  if (existsSync(directory)) {
    if (readdirSync(directory).length > 0)
      throw new CorruptionError('the directory holds files but no INITIALIZED marker', { file: directory });
    rmSync(directory, { recursive: true });
  }
  rmSync(temporary, { recursive: true, force: true });
  makeFolder(temporary);
  await fill(temporary);
  writeFileSync(join(temporary, MARKER), MARKER_TEXT);
  for (const name of readdirSync(temporary)) if (name !== 'LOCK') syncPath(join(temporary, name));
  syncPath(temporary);
  failPoints.hit('store-before-rename');
  renameSync(temporary, directory);
  syncPath(dirname(directory));
  failPoints.hit('store-after-rename');
}

/** True for a directory that holds a complete database. */
export function isCreated(directory: string): boolean {
  return existsSync(join(directory, MARKER));
}
