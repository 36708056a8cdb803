import { chmodSync, copyFileSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { equal } from '../../core/bytes/bytes.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { FormatError } from '../bytes.js';
import { requireCreated } from './creation.js';
import { CorruptionError } from '../errors.js';
import { MARKER } from './format.js';
import { readLiveFiles, scanManifest, TABLE_FILE, WRITE_AHEAD_LOG, type LiveFiles } from './manifest.js';
import { errorCode } from '../files/lock.js';
import { makeFolder } from '../files/make-folder.js';
import { syncPath } from '../files/sync-path.js';
import { makeTemporaryFolder } from '../files/temporary-folder.js';

/** A database in a temporary folder. */
export interface DatabaseCopy {
  readonly directory: string;
  remove(): void;
}

/** Files that LevelDB creates at every open. */
const MADE_AT_OPEN: ReadonlySet<string> = new Set(['LOCK', 'LOG', 'LOG.old']);

/**
 * Copies a database that no process has open into a temporary folder, because opening it with LevelDB writes to it.
 * Tables, which never change, are hard-linked if the file system can.
 */
export function copyDatabase(directory: string): DatabaseCopy {
  return inTemporaryFolder((copy) => {
    for (const { name } of readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile())) {
      if (MADE_AT_OPEN.has(name)) continue;
      if (TABLE_FILE.test(name)) linkOrCopy(join(directory, name), join(copy, name));
      else copyFileSync(join(directory, name), join(copy, name));
    }
  });
}

/**
 * Copies a database while a process writes it. The copy is the state at one moment during the copying, as a kill of
 * that process would leave it. Throws when the set of files changes faster than it is copied.
 *
 * LevelDB appends to its write-ahead logs and creates a new one before it leaves the old one, so copying them in order
 * yields a prefix of the writes. Tables are added and removed only together with a manifest change (doc/impl.md of
 * google/leveldb): if the manifest is the same before and after, the copy is complete.
 */
export function copyRunningDatabase(directory: string): DatabaseCopy {
  return inTemporaryFolder((folder) => gatherDatabase(directory, folder, linkOrCopy));
}

/**
 * Copies into an empty folder as `copyRunningDatabase` does; `take` links or copies a table. A retry reuses the tables
 * of the previous attempt.
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

/** `gatherDatabase` of a database that no process may have open, which then cannot change: what stops it is damage. */
function gatherWhole(directory: string, folder: string, take: (from: string, to: string) => void): void {
  try {
    gatherDatabase(directory, folder, take);
  } catch (error) {
    for (const { file, offset, problem } of scanManifest(directory))
      throw new CorruptionError(`${problem} at byte ${offset}`, { file });
    throw error;
  }
}

/** Copies a database that a process may be writing into a new folder; tables are hard-linked if the file system can. */
export function branchDatabase(directory: string, folder: string): void {
  requireCreated(directory);
  mkdirSync(folder);
  gatherWhole(directory, folder, linkOrCopy);
}

/** Copies a database into `folder` without hard links, and fsyncs the copy. */
export function backUpDatabase(directory: string, folder: string): void {
  requireCreated(directory);
  makeFolder(folder);
  gatherWhole(directory, folder, copyFileSync);
  for (const name of readdirSync(folder)) {
    chmodSync(join(folder, name), 0o600);
    syncPath(join(folder, name));
  }
  syncPath(folder);
}

/** Reads the live files; undefined when the writing process replaced one of them during the read. */
function liveFiles(directory: string): LiveFiles | undefined {
  try {
    return readLiveFiles(directory);
  } catch (error) {
    if (error instanceof FormatError || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Copies the live files. A file that the process removes meanwhile is skipped: the manifest has then changed, and the
 * caller tries again.
 */
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
  const logs = readdirSync(directory).filter((name) => WRITE_AHEAD_LOG.test(name) && Number.parseInt(name, 10) >= log);
  for (const name of [...logs.sort(), file, 'CURRENT', MARKER]) take(name, copyFileSync);
}

/**
 * Fills a copy one level below a temporary folder. LevelDB creates the folder of a database it opens but not its
 * parents, so an open still running in a thread at process exit cannot recreate the removed copy.
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

/** Hard-links a file, or copies it where the file system refuses links, for example across devices. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw error;
    copyFileSync(from, to);
  }
}
