import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { CorruptionError, OtherFormatError } from '../errors.js';
import { completeFolder } from '../files/replacement.js';
import { syncPath } from '../files/sync-path.js';

/**
 * Version of all that this build writes into the folder `data` of a home: rows, records, witness, snapshots. It is
 * raised by one with every change that an earlier build would misread. The number of a home is in the marker of its
 * database.
 */
export const FORMAT = 7;

/**
 * The earliest format that this build reads. It is raised with every change after which this build cannot read what an
 * earlier one wrote.
 */
export const EARLIEST_FORMAT = 1;

/** The file whose presence says that the database is complete. */
export const MARKER = 'INITIALIZED';

/** Content of the marker. */
export const MARKER_TEXT = `${FORMAT}\n`;

/** Format of the database in `directory`, or of what a replacement of it left; undefined where there is none. */
export function formatOf(directory: string): number | undefined {
  const folder = completeFolder(directory);
  return existsSync(join(folder, MARKER)) ? checkFormat(folder) : undefined;
}

/**
 * Format of the database in the folder. Throws OtherFormatError when this build does not read it, and CorruptionError
 * when the marker is damaged.
 */
export function checkFormat(folder: string): number {
  const found = readFileSync(join(folder, MARKER), 'utf8');
  if (!/^\d{1,9}\n$/.test(found)) throw new CorruptionError('the INITIALIZED marker is damaged', { file: MARKER });
  const format = Number(found);
  if (format < EARLIEST_FORMAT || format > FORMAT) throw new OtherFormatError(format, EARLIEST_FORMAT, FORMAT);
  return format;
}

/** Marks a database that is about to be written, so that builds of its old format refuse it. */
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
