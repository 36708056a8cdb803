import { chmodSync, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { withPoisonRule, withRowChecksums } from './checked-store.js';
import { createOnce, isCreated } from './creation.js';
import { checkFormat, raiseFormat } from './format.js';
import { copyDatabase, copyRunningDatabase, type DatabaseCopy } from './database-copy.js';
import { CorruptionError, HomeReplacedError, RestoreUnfinishedError } from '../errors.js';
import { NO_FAIL_POINTS, type FailPoints } from '../fail-points.js';
import { createEmpty, LevelHandle, openDatabase, ownerOf, type Owner } from './level-handle.js';
import { refuseLevelLocked } from './level-lock.js';
import { scanNewestTables } from './files.js';
import { scanManifest } from './manifest.js';
import { errorCode, identityOf, isLocked, takeLock, type Lock } from '../files/lock.js';
import { completeFolder, restoringOf, settleReplacement } from '../files/replacement.js';
import { cutLogs, cutManifest, damagedAt, findUnsyncedTail, type Cut, type LostTail } from './unsynced-tail.js';
import { readHead } from '../log/verify-tail.js';
import type { ThreadGate } from './thread-gate.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Position } from '../../core/primitives.js';

export interface LevelStoreOptions {
  /** Creates the database when it is absent; without this, an absent one throws. */
  readonly create: boolean;
  readonly failPoints?: FailPoints;
  /** Also compares the checksums of the newest tables, as many as a start has time for. */
  readonly checkTables?: boolean;
  /** Called with each damage that a read finds, before the read throws it. */
  readonly onDamage?: (error: CorruptionError) => void;
  /** The end of the event log that was acknowledged as durable, as it is known outside of the database. */
  readonly acknowledged?: Position | undefined;
  /** Called when writes that were not synced were lost, after the database was opened without them. */
  readonly onLost?: (lost: LostTail) => void;
}

/** The facts that an open takes, and those that it reports. */
type Opening = Pick<LevelStoreOptions, 'onDamage' | 'acknowledged' | 'onLost'>;

/**
 * Opens the LevelDB in `directory` for this process alone (lock file `<directory>.lock`), with a checksum in every row
 * and the poison rule. Throws HomeLockedError, CorruptionError, or LevelDB's own error. A commit throws
 * HomeReplacedError when lock or folder was removed or replaced meanwhile. Instead of creating one, throws
 * RestoreUnfinishedError where a restore of a snapshot was begun.
 */
export async function openLevelStore(directory: string, options: LevelStoreOptions): Promise<KeyValueStore> {
  const failPoints = options.failPoints ?? NO_FAIL_POINTS;
  await refuseLevelLocked(directory);
  const lock = takeLock(directory);
  const path = lock.directory;
  failPoints.hit('lock-taken');
  try {
    settleReplacement(path);
    if (options.create && !isCreated(path) && existsSync(restoringOf(path))) throw new RestoreUnfinishedError();
    if (options.create) await createOnce(path, createEmpty, failPoints);
    const closed = (): void => {
      lock.release();
      failPoints.hit('lock-released');
    };
    if (options.checkTables === true && isCreated(path)) checkNewestTables(path);
    return await openUnderLock(lock, { ...options, acknowledged: options.acknowledged, closed });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Opens the complete database that the lock guards, as `openLevelStore` does; `closed` is called when it was closed.
 * Every caller names the acknowledged end of the log, so that none cuts it. Throws CorruptionError, or LevelDB's own
 * error.
 */
export async function openUnderLock(
  lock: Lock,
  {
    closed = () => undefined,
    ...opening
  }: Opening & { readonly acknowledged: Position | undefined; readonly closed?: () => void },
): Promise<KeyValueStore> {
  const path = lock.directory;
  if (!isCreated(path)) throw new Error(`no database in ${path}`);
  checkFormat(path);
  makePrivate(path);
  const folder = identityOf(path);
  const check = (isSynced: boolean): void => {
    // The lock lies in the folder above. A commit that is not synced is followed by one that is.
    if (!lock.isHeld() || (isSynced && identityOf(path) !== folder)) throw new HomeReplacedError(path);
  };
  const store = await openSound(path, { directory: path, check, closed }, opening);
  raiseFormat(path);
  return store;
}

/** A database that was opened for reading from a copy. */
export interface LevelCopy {
  readonly store: KeyValueStore;
  /** Folder whose files are those of the database: its own, or of a database that is being written a copy. */
  readonly directory: string;
  /** Folder of the copy, for other threads that read it. */
  readonly location: string;
}

/**
 * Opens a temporary copy of a database, and removes it when it is closed: nothing in the home changes, which may be
 * read-only, and a node may be writing it. Throws HomeLockedError when a process outside of this container has it open,
 * CorruptionError, or LevelDB's own error.
 */
export async function openLevelCopy(directory: string, opening: Opening = {}): Promise<LevelCopy> {
  await refuseLevelLocked(directory);
  const original = completeFolder(directory);
  if (!isCreated(original)) throw new Error(`no database in ${original}`);
  checkFormat(original);
  if (isLocked(directory)) return openCopyOf(copyRunningDatabase(original), opening);
  const copy = copyDatabase(original);
  // A node that started meanwhile has changed what was being copied.
  if (!isLocked(directory)) return openCopy(original, copy, opening);
  copy.remove();
  return openCopyOf(copyRunningDatabase(original), opening);
}

/** Opens a copy of a copy, whose files stay as they are. */
function openCopyOf(files: DatabaseCopy, opening: Opening): Promise<LevelCopy> {
  const copy = copyDatabase(files.directory);
  const both = {
    directory: copy.directory,
    remove() {
      copy.remove();
      files.remove();
    },
  };
  return openCopy(files.directory, both, opening);
}

async function openCopy(directory: string, copy: DatabaseCopy, opening: Opening): Promise<LevelCopy> {
  try {
    const owner = ownerOf(directory, () => copy.remove());
    return { store: await openSound(copy.directory, owner, opening), directory, location: copy.directory };
  } catch (error) {
    copy.remove();
    throw error;
  }
}

/** Opens a complete database whose files are sound at the first look, without what a power cut left unfinished. */
async function openSound(path: string, owner: Owner, opening: Opening): Promise<KeyValueStore> {
  for (const { file, offset, problem } of scanManifest(path))
    throw new CorruptionError(`${problem} at byte ${offset}`, { file });
  cutManifest(path);
  const cut = findUnsyncedTail(path);
  if (cut !== undefined) {
    await refuseDurable(path, cut, opening.acknowledged);
    cutLogs(path, cut);
  }
  const database = await openDatabase(path);
  try {
    checkLevelLog(path);
  } catch (error) {
    await database.close();
    throw error;
  }
  if (cut !== undefined) opening.onLost?.(cut.lost);
  return withRowChecksums(withPoisonRule(new LevelHandle(database, owner)), opening.onDamage);
}

/** Throws CorruptionError when the log was known to be durable beyond the writes that a cut would keep. */
async function refuseDurable(path: string, cut: Cut, acknowledged: Position | undefined): Promise<void> {
  const { claimed } = cut;
  const durable = claimed === undefined || (acknowledged ?? 0n) > claimed ? acknowledged : claimed;
  if (durable === undefined) return;
  const kept = cut.kept ?? (await headWithout(path, cut));
  if (durable > kept) throw damagedAt(cut.lost);
}

/** The end of the event log in a copy of the database that was cut. */
async function headWithout(path: string, cut: Cut): Promise<Position> {
  const copy = copyDatabase(path);
  try {
    cutLogs(copy.directory, cut);
    const store = withRowChecksums(await openUnchecked(copy.directory));
    const { position } = readHead(store);
    await store.close();
    return position;
  } finally {
    copy.remove();
  }
}

/** Makes a database in an empty folder, fills it and closes it. It may be used only when `fill` has resolved. */
export async function fillNewDatabase<Value>(
  folder: string,
  fill: (store: KeyValueStore, folder: string) => Promise<Value>,
): Promise<Value> {
  await createEmpty(folder);
  const store = withRowChecksums(withPoisonRule(await openUnchecked(folder)));
  try {
    return await fill(store, folder);
  } finally {
    await store.close();
  }
}

/**
 * Makes a database in `directory`, which must be absent or empty: completely or not at all, beside it in `temporary`.
 * Resolves with what `fill` answered.
 */
export async function makeDatabase<Value extends object>(
  directory: string,
  fill: (store: KeyValueStore, folder: string) => Promise<Value>,
  failPoints: FailPoints,
  temporary?: string,
): Promise<Value> {
  const answers: Value[] = [];
  await createOnce(
    directory,
    async (folder) => void answers.push(await fillNewDatabase(folder, fill)),
    failPoints,
    temporary,
  );
  const [answer] = answers;
  if (answer === undefined) throw new Error(`there is a database in ${directory} already`);
  return answer;
}

/**
 * Opens the same database for reading from a worker thread of the process that holds it. The holder must stay open as
 * long as its readers. The thread is ended outside of its ranges: it stops by `gate`.
 */
export async function openLevelReader(directory: string, gate: Pick<ThreadGate, 'run'>): Promise<KeyValueStore> {
  const store = await openUnchecked(realpathSync(directory));
  return withRowChecksums({
    get: (key) => store.get(key),
    range: (options) => gate.run(() => store.range(options)),
    commit: () => Promise.reject(new Error('this handle of the database only reads')),
    close: () => store.close(),
  });
}

/** Opens a database as `openLevelReader` does, for a thread that reads no ranges. */
export async function openPointReader(directory: string): Promise<Pick<KeyValueStore, 'get'>> {
  return withRowChecksums(await openUnchecked(realpathSync(directory)));
}

/** Opens a database as `openLevelReader` does, for a thread that also writes into it while it is being made. */
export async function openLevelWriter(directory: string, gate: Pick<ThreadGate, 'run'>): Promise<KeyValueStore> {
  const store = await openUnchecked(realpathSync(directory));
  return withRowChecksums({
    get: (key) => store.get(key),
    range: (options) => gate.run(() => store.range(options)),
    commit: (operations, options) => store.commit(operations, options),
    close: () => store.close(),
  });
}

/** Opens a database that this process has made or holds already. */
async function openUnchecked(path: string): Promise<KeyValueStore> {
  return new LevelHandle(
    await openDatabase(path),
    ownerOf(path, () => undefined),
  );
}

/**
 * Throws CorruptionError when LevelDB dropped data. LevelDB reports this only in its text file LOG, and the open
 * succeeds.
 */
function checkLevelLog(path: string): void {
  const file = join(path, 'LOG');
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((text) => /corrupt|dropping \d+ bytes/i.test(text));
  if (line !== undefined) throw new CorruptionError(`LevelDB reports: ${line.slice(0, 200)}`, { file });
}

/** Throws CorruptionError. Rows of a damaged block may be absent without an error when they are read. */
function checkNewestTables(path: string): void {
  for (const { file, offset, problem } of scanNewestTables(path, FIXED_LIMITS.tableBytesCheckedAtOpen))
    throw new CorruptionError(`${problem} at byte ${offset}`, { file });
}

/**
 * Only the owner reads the data; LevelDB itself gives its files to everybody. A file of another owner stays as it is.
 */
function makePrivate(path: string): void {
  try {
    chmodSync(path, 0o700);
    for (const name of readdirSync(path)) chmodSync(join(path, name), 0o600);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error;
  }
}
