/**
 * Replaces a database by one that was built beside it, so that a kill at any moment leaves one of the two. Node.js
 * cannot exchange two folders atomically: between the two renames the folder is absent, and the next process that takes
 * the lock finishes the replacement (`finishReplacement`).
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FailPoints } from '../fail-points.js';
import { syncPath } from './sync-path.js';

/** Folder of the new database that will replace the one in `directory`; it exists only when the new one is complete. */
export function replacementFolder(directory: string): string {
  return `${directory}.rebuilt`;
}

/** Folder of the old database until it is removed. */
function replacedFolder(directory: string): string {
  return `${directory}.replaced`;
}

/** Folder in which a snapshot restore builds its database. While it exists, no new chain may be started. */
export function restoringFolder(directory: string): string {
  return `${directory}.restoring`;
}

/** Folder of a database that is being removed. */
function removedFolder(directory: string): string {
  return `${directory}.removed`;
}

/** True when there is a database, even if it is just being replaced. */
export function databaseExists(directory: string): boolean {
  return existsSync(directory) || existsSync(replacedFolder(directory));
}

/** Folder of the complete database, even if it is just being replaced. */
export function completeFolder(directory: string): string {
  const folders = [directory, replacementFolder(directory), replacedFolder(directory)];
  return folders.find((folder) => existsSync(folder)) ?? directory;
}

/** Every folder of a database: its own, and those of an unfinished replacement. */
function foldersOf(directory: string): readonly string[] {
  const replacement = replacementFolder(directory);
  return [directory, replacedFolder(directory), replacement, `${replacement}.tmp`, removedFolder(directory)];
}

/**
 * Moves the complete database from `replacementFolder` into place and removes the old one. The caller holds the lock.
 */
export function putInPlace(directory: string, failPoints: FailPoints): void {
  failPoints.hit('replace-before');
  renameSync(directory, replacedFolder(directory));
  syncPath(dirname(directory));
  failPoints.hit('replace-between');
  renameSync(replacementFolder(directory), directory);
  syncPath(dirname(directory));
  failPoints.hit('replace-after');
  rmSync(replacedFolder(directory), { recursive: true, force: true });
}

/**
 * Removes a database and what a restore left, so that a kill or a power cut leaves either all of the database or none.
 * The caller holds the lock.
 */
export function removeDatabase(directory: string): void {
  finishReplacement(directory);
  if (existsSync(directory)) renameSync(directory, removedFolder(directory));
  syncPath(dirname(directory));
  for (const folder of [removedFolder(directory), restoringFolder(directory)])
    rmSync(folder, { recursive: true, force: true });
}

/**
 * Completes a replacement that was interrupted between its renames, and removes leftovers of any other. The caller
 * holds the lock and has not opened the database.
 */
export function finishReplacement(directory: string): void {
  if (existsSync(replacedFolder(directory)) && !existsSync(directory)) {
    const complete = existsSync(replacementFolder(directory))
      ? replacementFolder(directory)
      : replacedFolder(directory);
    renameSync(complete, directory);
    syncPath(dirname(directory));
  }
  for (const folder of foldersOf(directory).slice(1)) rmSync(folder, { recursive: true, force: true });
}
