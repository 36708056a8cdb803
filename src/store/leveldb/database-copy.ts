import { chmodSync, copyFileSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { equal } from '../../core/bytes/bytes.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { FormatError } from '../bytes.js';
import { MARKER } from './format.js';
import { readLiveFiles, type LiveFiles } from './manifest.js';
import { errorCode } from '../files/lock.js';
import { makeFolder } from '../files/make-folder.js';
import { syncPath } from '../files/sync-path.js';
import { makeTemporaryFolder } from '../files/temporary-folder.js';

/** A database in a temporary folder. */
export interface DatabaseCopy {
  readonly directory: string;
  remove(): void;
}

/** Files that LevelDB makes at every open. */
const MADE_AT_OPEN: ReadonlySet<string> = new Set(['LOCK', 'LOG', 'LOG.old']);
const TABLE = /\.(ldb|sst)$/;

/**
 * Copies a database that no process has open into a temporary folder, because LevelDB writes at every open. Tables,
 * which LevelDB never changes, are linked where the file system can.
 */
export function copyDatabase(directory: string): DatabaseCopy {
  return inTemporaryFolder((copy) => {
    for (const { name } of readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile())) {
      if (MADE_AT_OPEN.has(name)) continue;
      if (TABLE.test(name)) linkOrCopy(join(directory, name), join(copy, name));
      else copyFileSync(join(directory, name), join(copy, name));
    }
  });
}

/**
 * Copies a database that a process is writing: the copy is the database as it was at one moment of the copying, as a
 * kill of that process would leave it. Throws when the process changes the set of files faster than they are copied.
 *
 * LevelDB appends to its write-ahead logs and makes a new one before it leaves the old one, so that copies of them in
 * their order are a beginning of what was written. Tables appear and disappear only with a change of the manifest
 * (doc/impl.md of google/leveldb): a manifest that is the same before and after says that the copy is whole.
 */
export function copyRunningDatabase(directory: string): DatabaseCopy {
  return inTemporaryFolder((folder) => gatherDatabase(directory, folder, linkOrCopy));
}

/**
 * Copies into an empty folder as `copyRunningDatabase` does; `take` brings a table there. Tables that one attempt has
 * brought serve the next one, which has less to bring.
 */
function gatherDatabase(directory: string, folder: string, take: (from: string, to: string) => void): void {
  for (let attempt = 0; attempt < FIXED_LIMITS.runningCopyAttempts; attempt += 1) {
    const before = liveFiles(directory);
    if (before === undefined) continue;
    copyLive(directory, folder, before, take);
    const after = liveFiles(directory);
    if (after?.file === before.file && equal(after.manifest, before.manifest)) return;
  }
  throw new Error(
    `the database in ${directory} changes too fast to be copied: try again while the node has less to do`,
  );
}

/** Copies a database that a process may be writing into a new folder: tables are linked where the file system can. */
export function branchDatabase(directory: string, folder: string): void {
  mkdirSync(folder);
  gatherDatabase(directory, folder, linkOrCopy);
}

/** A copy that shares no file with the database, and is on the disk. */
export function backUpDatabase(directory: string, folder: string): void {
  makeFolder(folder);
  gatherDatabase(directory, folder, copyFileSync);
  for (const name of readdirSync(folder)) {
    chmodSync(join(folder, name), 0o600);
    syncPath(join(folder, name));
  }
  syncPath(folder);
}

/** Undefined while the process is replacing what is read. */
function liveFiles(directory: string): LiveFiles | undefined {
  try {
    return readLiveFiles(directory);
  } catch (error) {
    if (error instanceof FormatError || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A file that the process removes meanwhile is left out: then the manifest has changed. */
function copyLive(
  directory: string,
  copy: string,
  { file, tables, log }: LiveFiles,
  takeTable: (from: string, to: string) => void,
): void {
  const take = (name: string, how: (from: string, to: string) => void): void => {
    try {
      how(join(directory, name), join(copy, name));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  };
  const live = new Set(tables.flat());
  for (const name of readdirSync(copy)) if (!live.has(name)) rmSync(join(copy, name));
  const there = new Set(readdirSync(copy));
  for (const names of tables)
    if (!names.some((name) => there.has(name))) for (const name of names) take(name, takeTable);
  const logs = readdirSync(directory).filter((name) => /^\d+\.log$/.test(name) && Number.parseInt(name, 10) >= log);
  for (const name of [...logs.sort(), file, 'CURRENT', MARKER]) take(name, copyFileSync);
}

/**
 * A copy below a temporary folder. LevelDB makes the folder of a database that it opens, but not those above: an open
 * that a thread begins while the process exits cannot bring back what was removed.
 */
function inTemporaryFolder(fill: (folder: string) => void): DatabaseCopy {
  const { path, remove } = makeTemporaryFolder('chronicle-read-');
  const directory = join(path, 'database');
  try {
    mkdirSync(directory);
    fill(directory);
  } catch (error) {
    remove();
    throw error;
  }
  return { directory, remove };
}

/** Copies where the file system does not link, for example to another one. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw error;
    copyFileSync(from, to);
  }
}
