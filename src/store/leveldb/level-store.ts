import { chmodSync, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { withPoisonRule, withRowChecksums } from './checked-store.js';
import { createOnce, isCreated, requireCreated } from './creation.js';
import { checkFormat, raiseFormat } from './format.js';
import { copyDatabase, copyRunningDatabase, type DatabaseCopy } from './database-copy.js';
import { CorruptionError, HomeReplacedError, RestoreUnfinishedError } from '../errors.js';
import { NO_FAIL_POINTS, type FailPoints } from '../fail-points.js';
import { createEmpty, LevelHandle, openDatabase, ownerOf, type Owner } from './level-handle.js';
import { refuseLevelLocked } from './level-lock.js';
import { scanNewestTables } from './scan-files.js';
import { scanManifest } from './manifest.js';
import { errorCode, identityOf, isLocked, takeLock, type Lock } from '../files/lock.js';
import { completeFolder, restoringFolder, finishReplacement } from '../files/replacement.js';
import { cutLogs, cutManifest, damagedAt, findUnsyncedTail, type Cut, type LostTail } from './unsynced-tail.js';
import { readHead } from '../log/verify-tail.js';
import type { ThreadGate } from './thread-gate.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Position } from '../../core/primitives.js';

export interface LevelStoreOptions {
  /** Creates the database when it is absent; otherwise an absent database throws. */
  readonly create: boolean;
  readonly failPoints?: FailPoints;
  /** Also verifies the checksums of the newest tables, within the time budget of a start. */
  readonly checkTables?: boolean;
  /** Called with each CorruptionError of a read, before it is thrown. */
  readonly onDamage?: (error: CorruptionError) => void;
  /**
   * Position up to which the event log was acknowledged as durable, as known outside of the database (the head
   * witness).
   */
  readonly acknowledged?: Position | undefined;
  /** Called after an open that had to drop lost unsynced writes. */
  readonly onLost?: (lost: LostTail) => void;
}

/** The options that matter for any kind of open. */
type Opening = Pick<LevelStoreOptions, 'onDamage' | 'acknowledged' | 'onLost'>;

/**
 * Opens the LevelDB in `directory` exclusively (lock file `<directory>.lock`), with row checksums and the poison rule.
 * Throws HomeLockedError, CorruptionError, or LevelDB's own error; RestoreUnfinishedError instead of creating a
 * database next to an unfinished snapshot restore. Commits throw HomeReplacedError when the lock or the folder was
 * removed or replaced.
 */
export async function openLevelStore(directory: string, options: LevelStoreOptions): Promise<KeyValueStore> {
  const failPoints = options.failPoints ?? NO_FAIL_POINTS;
  await refuseLevelLocked(directory);
  const lock = takeLock(directory);
  const path = lock.directory;
  failPoints.hit('lock-taken');
  try {
    finishReplacement(path);
    if (options.create && !isCreated(path) && existsSync(restoringFolder(path))) throw new RestoreUnfinishedError();
    const { acknowledged = 0n } = options;
    if (options.create && !isCreated(path) && acknowledged > 0n)
      throw new CorruptionError(`events up to ${acknowledged} were acknowledged, the database is gone`, {
        position: 0n,
      });
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
 * Opens the complete database that `lock` guards, as `openLevelStore` does; `closed` is called after it closes.
 * `acknowledged` is mandatory so that no caller forgets it and cuts acknowledged records. Throws CorruptionError, or
 * LevelDB's own error.
 */
export async function openUnderLock(
  lock: Lock,
  {
    closed = () => undefined,
    ...opening
  }: Opening & { readonly acknowledged: Position | undefined; readonly closed?: () => void },
): Promise<KeyValueStore> {
  const path = lock.directory;
  requireCreated(path);
  checkFormat(path);
  makePrivate(path);
  const folder = identityOf(path);
  const check = (isSynced: boolean): void => {
    // The lock file lies in the parent folder. The folder itself is checked at synced commits only: every unsynced
    // commit is followed by a synced one.
    if (!lock.isHeld() || (isSynced && identityOf(path) !== folder)) throw new HomeReplacedError(path);
  };
  const store = await openVerified(path, { directory: path, check, closed }, opening);
  raiseFormat(path);
  return store;
}

/** A database opened from a temporary copy, for reading. */
export interface LevelCopy {
  readonly store: KeyValueStore;
  /** Folder with the database's files: its own, or of a copy if a process is writing the database. */
  readonly directory: string;
  /** Folder of the opened copy, so that other threads can open it. */
  readonly location: string;
}

/**
 * Opens a temporary copy of a database and removes it on close. The home is not changed; it may be read-only, or a node
 * may be writing it. Throws HomeLockedError when a process outside of this container has it open, CorruptionError, or
 * LevelDB's own error.
 */
export async function openLevelCopy(directory: string): Promise<LevelCopy> {
  await refuseLevelLocked(directory);
  const original = completeFolder(directory);
  requireCreated(original);
  checkFormat(original);
  if (isLocked(directory)) return openCopyOf(copyRunningDatabase(original));
  const copy = copyDatabase(original);
  // A node that started meanwhile may have changed files during the copy.
  if (!isLocked(directory)) return openCopy(original, copy);
  copy.remove();
  return openCopyOf(copyRunningDatabase(original));
}

/** Opens a second copy, because opening changes files and `files` must stay as copied. */
function openCopyOf(files: DatabaseCopy): Promise<LevelCopy> {
  const copy = copyDatabase(files.directory);
  const both = {
    directory: copy.directory,
    remove() {
      copy.remove();
      files.remove();
    },
  };
  return openCopy(files.directory, both);
}

async function openCopy(directory: string, copy: DatabaseCopy): Promise<LevelCopy> {
  try {
    const owner = ownerOf(directory, () => copy.remove());
    return { store: await openVerified(copy.directory, owner, {}), directory, location: copy.directory };
  } catch (error) {
    copy.remove();
    throw error;
  }
}

/** Checks the manifest, drops the unfinished writes of a power cut, and opens the database. */
async function openVerified(path: string, owner: Owner, opening: Opening): Promise<KeyValueStore> {
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

/** Throws CorruptionError when a cut would remove log positions that are known to have been durable. */
async function refuseDurable(path: string, cut: Cut, acknowledged: Position | undefined): Promise<void> {
  const { claimed } = cut;
  const durable = claimed === undefined || (acknowledged ?? 0n) > claimed ? acknowledged : claimed;
  if (durable === undefined) return;
  const kept = cut.kept ?? (await headWithout(path, cut));
  if (durable > kept) throw damagedAt(cut.lost);
}

/** Position of the event log's head after a cut, tried out on a copy. */
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

/** Creates a database in an empty folder, fills it and closes it. The database is valid only if `fill` resolves. */
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
 * Creates a database in `directory` (absent or empty) atomically: `fill` works in the folder `temporary`, which is then
 * renamed. Resolves with the result of `fill`.
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
 * Opens, for reading in a worker thread, a database that this process already holds. The holder must stay open longer.
 * Ranges run through `gate`, because ending a thread during a range crashes the process.
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

/** `openLevelReader` for a thread that does point reads only. */
export async function openPointReader(directory: string): Promise<Pick<KeyValueStore, 'get'>> {
  return withRowChecksums(await openUnchecked(realpathSync(directory)));
}

/** `openLevelReader` for a thread that also writes, while a database is being built. */
export async function openLevelWriter(directory: string, gate: Pick<ThreadGate, 'run'>): Promise<KeyValueStore> {
  const store = await openUnchecked(realpathSync(directory));
  return withRowChecksums({
    get: (key) => store.get(key),
    range: (options) => gate.run(() => store.range(options)),
    commit: (operations, options) => store.commit(operations, options),
    close: () => store.close(),
  });
}

/** Opens, without checks, a database that this process created or holds. */
async function openUnchecked(path: string): Promise<KeyValueStore> {
  return new LevelHandle(
    await openDatabase(path),
    ownerOf(path, () => undefined),
  );
}

/**
 * Throws CorruptionError when LevelDB dropped data. LevelDB reports this only in its text file LOG, and opens
 * successfully.
 */
function checkLevelLog(path: string): void {
  const file = join(path, 'LOG');
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((text) => /corrupt|dropping \d+ bytes/i.test(text));
  if (line !== undefined) throw new CorruptionError(`LevelDB reports: ${line.slice(0, 200)}`, { file });
}

/** Throws CorruptionError. Without this check, rows of a damaged block may silently read as absent. */
function checkNewestTables(path: string): void {
  for (const { file, offset, problem } of scanNewestTables(path, FIXED_LIMITS.tableBytesCheckedAtOpen))
    throw new CorruptionError(`${problem} at byte ${offset}`, { file });
}

/**
 * Makes the data readable by its owner only (LevelDB creates world-readable files). Files of another owner are left
 * unchanged.
 */
function makePrivate(path: string): void {
  try {
    chmodSync(path, 0o700);
    for (const name of readdirSync(path)) chmodSync(join(path, name), 0o600);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error;
  }
}
