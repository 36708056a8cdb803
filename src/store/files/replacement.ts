/**
 * Puts a database that was made beside another one in its place, so that a kill at any moment leaves one of the two.
 * Node.js cannot exchange two folders in one step: between the two renames the folder is absent, and the next process
 * that takes the lock finishes the work (`settleReplacement`).
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FailPoints } from '../fail-points.js';
import { syncPath } from './sync-path.js';

/** Folder of the database that takes the place of the one in `directory`; there as soon as it is complete. */
export function replacementOf(directory: string): string {
  return `${directory}.rebuilt`;
}

/** Folder of the database that was replaced, until it is removed. */
function replacedOf(directory: string): string {
  return `${directory}.replaced`;
}

/** Folder of a database that a restore of a snapshot makes, from its beginning on: no new chain may begin beside it. */
export function restoringOf(directory: string): string {
  return `${directory}.restoring`;
}

/** Folder of a database that is being removed. */
function removedOf(directory: string): string {
  return `${directory}.removed`;
}

/** True when there is a database, also one that is just being replaced. */
export function isDatabaseThere(directory: string): boolean {
  return existsSync(directory) || existsSync(replacedOf(directory));
}

/** The folder of a complete database, also of one that is just being replaced. */
export function completeFolder(directory: string): string {
  const folders = [directory, replacementOf(directory), replacedOf(directory)];
  return folders.find((folder) => existsSync(folder)) ?? directory;
}

/** Every folder that belongs to a database: its own, and those of a replacement that was not finished. */
function foldersOf(directory: string): readonly string[] {
  const replacement = replacementOf(directory);
  return [directory, replacedOf(directory), replacement, `${replacement}.tmp`, removedOf(directory)];
}

/** Puts the complete database of `replacementOf` in place and removes the old one. The caller holds the lock. */
export function putInPlace(directory: string, failPoints: FailPoints): void {
  failPoints.hit('replace-before');
  renameSync(directory, replacedOf(directory));
  syncPath(dirname(directory));
  failPoints.hit('replace-between');
  renameSync(replacementOf(directory), directory);
  syncPath(dirname(directory));
  failPoints.hit('replace-after');
  rmSync(replacedOf(directory), { recursive: true, force: true });
}

/**
 * Removes a database, so that a kill or a power cut at any moment leaves all of it or none, and what a restore left.
 * The caller holds the lock.
 */
export function removeDatabase(directory: string): void {
  settleReplacement(directory);
  if (existsSync(directory)) renameSync(directory, removedOf(directory));
  syncPath(dirname(directory));
  for (const folder of [removedOf(directory), restoringOf(directory)]) rmSync(folder, { recursive: true, force: true });
}

/**
 * Finishes a replacement that was begun, and removes what one left that was not. The caller holds the lock and has not
 * opened the database.
 */
export function settleReplacement(directory: string): void {
  if (existsSync(replacedOf(directory)) && !existsSync(directory)) {
    const complete = existsSync(replacementOf(directory)) ? replacementOf(directory) : replacedOf(directory);
    renameSync(complete, directory);
    syncPath(dirname(directory));
  }
  for (const folder of foldersOf(directory).slice(1)) rmSync(folder, { recursive: true, force: true });
}
