/**
 * Creates a database directory atomically: it is filled under a temporary name, marked, fsynced and renamed. After a
 * power loss during LevelDB's own creation, LevelDB may be unable to open the files: CURRENT may point to an empty
 * MANIFEST.
 */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CorruptionError } from '../errors.js';
import type { FailPoints } from '../fail-points.js';
import { MARKER, MARKER_TEXT } from './format.js';
import { makeFolder } from '../files/make-folder.js';
import { syncPath } from '../files/sync-path.js';

/**
 * Creates `directory` when it is absent or empty: `fill` fills a temporary folder (`ownTemporary` or
 * `<directory>.tmp`), which is then renamed. Throws CorruptionError when `directory` holds files but no marker: these
 * files are not ours, so they are not deleted.
 */
export async function createOnce(
  directory: string,
  fill: (temporary: string) => Promise<void>,
  failPoints: FailPoints,
  ownTemporary?: string,
): Promise<void> {
  const temporary = ownTemporary ?? `${directory}.tmp`;
  if (existsSync(join(directory, MARKER))) return;
  if (existsSync(directory)) {
    if (readdirSync(directory).length > 0) requireCreated(directory);
    rmSync(directory, { recursive: true });
  }
  rmSync(temporary, { recursive: true, force: true });
  makeFolder(temporary);
  try {
    await fill(temporary);
  } catch (error) {
    // A folder that the caller names is the caller's to remove.
    if (ownTemporary === undefined) rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
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

/** Throws CorruptionError for a directory that holds no complete database. */
export function requireCreated(directory: string): void {
  if (!isCreated(directory))
    throw new CorruptionError('it holds no database: its INITIALIZED marker is missing', { file: directory });
}
