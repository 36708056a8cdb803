import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CorruptionError, OtherFormatError } from './errors.js';
import { completeFolder } from './replacement.js';

/**
 * Version of all that is in the folder `data` of a home: rows, records, witness, snapshots. It is raised by one with
 * every change after which this build cannot read what an earlier one wrote, or an earlier one would misread what this
 * one writes; nothing else has to change with it. The number of a home is in the marker of its database.
 */
export const FORMAT = 2;

/** The file whose presence says that the database is complete. */
export const MARKER = 'INITIALIZED';

/** Content of the marker. */
export const MARKER_TEXT = `${FORMAT}\n`;

/**
 * Throws OtherFormatError when a build with another format made the database in `directory`, or what a replacement of
 * it left; changes nothing. A folder without a database passes.
 */
export function refuseOtherFormat(directory: string): void {
  const folder = completeFolder(directory);
  if (existsSync(join(folder, MARKER))) checkFormat(folder);
}

/**
 * Throws OtherFormatError when a build with another format made the folder, and CorruptionError when the marker is
 * damaged.
 */
export function checkFormat(folder: string): void {
  const found = readFileSync(join(folder, MARKER), 'utf8');
  if (found === MARKER_TEXT) return;
  if (/^\d{1,9}\n$/.test(found)) throw new OtherFormatError(Number(found), FORMAT);
  throw new CorruptionError('the INITIALIZED marker is damaged', { file: MARKER });
}
