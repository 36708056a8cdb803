import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { CorruptionError, OtherFormatError } from '../errors.js';
import { completeFolder } from '../files/replacement.js';
import { syncPath } from '../files/sync-path.js';

/**
 * Format version of everything this build writes into the folder `data` of a home: rows, records, witness, snapshots.
 * It is raised with every change that an earlier build would misread. The marker file of a database holds its version.
 */
export const FORMAT = 7;

/** The earliest format that this build can read. */
export const EARLIEST_FORMAT = 1;

/** Marker file of a complete database. */
export const MARKER = 'INITIALIZED';

/** Content of the marker file. */
export const MARKER_TEXT = `${FORMAT}\n`;

/**
 * Format of the database in `directory`, including one left by an unfinished replacement; undefined when there is none.
 * Throws as `checkFormat`.
 */
export function formatOf(directory: string): number | undefined {
  const folder = completeFolder(directory);
  return existsSync(join(folder, MARKER)) ? checkFormat(folder) : undefined;
}

/**
 * Reads the format of the database in `folder`. Throws OtherFormatError when this build cannot read it, and
 * CorruptionError when the marker is damaged.
 */
export function checkFormat(folder: string): number {
  const found = readFileSync(join(folder, MARKER), 'utf8');
  if (!/^\d{1,9}\n$/.test(found)) throw new CorruptionError('the INITIALIZED marker is damaged', { file: MARKER });
  const format = Number(found);
  if (format < EARLIEST_FORMAT || format > FORMAT) throw new OtherFormatError(format, EARLIEST_FORMAT, FORMAT);
  return format;
}

/**
 * Raises the marker of an older database to the current format before it is written, so that older builds refuse it.
 */
export function raiseFormat(folder: string): void {
  if (checkFormat(folder) === FORMAT) return;
  const next = join(folder, `${MARKER}.next`);
  const descriptor = openSync(next, 'w', 0o600);
  try {
    writeSync(descriptor, MARKER_TEXT);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(next, join(folder, MARKER));
  syncPath(folder);
}
