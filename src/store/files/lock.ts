/**
 * The home's own lock file. LevelDB's lock is an fcntl lock, which the owning process loses when it opens and closes
 * the LOCK file again. The file holds the pid; where /proc exists also the boot id and process start time, which detect
 * a reused pid. The file appears complete through link(2). A stale file is first renamed to a unique name and then
 * checked again, so that two starting processes cannot both take the lock; LevelDB's lock is the second barrier.
 */
import {
  existsSync,
  linkSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HomeLockedError } from '../errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { makeFolder } from './make-folder.js';

interface Holder {
  readonly pid: number;
  readonly start: string;
  /** PID namespace in which `pid` is valid; empty where the system has none. */
  readonly namespace: string;
}

/** A lock held by this process. */
export interface Lock {
  /** Path of the locked database, with symbolic links resolved. */
  readonly directory: string;
  /** False when the lock file was removed or replaced: another process may hold the lock now. */
  isHeld(): boolean;
  /** Releases the lock; idempotent. */
  release(): void;
}

const ownLocks = new Set<string>();

/**
 * Takes the lock of a database (file `<directory>.lock`). The database need not exist; missing parent folders are
 * created. Throws HomeLockedError.
 */
export function takeLock(database: string): Lock {
  makeFolder(dirname(database));
  const directory = join(realpathSync(dirname(database)), basename(database));
  const path = `${directory}.lock`;
  lockFile(path);
  const identity = identityOf(path);
  const isHeld = (): boolean => identity !== undefined && identityOf(path) === identity;
  return {
    directory,
    isHeld,
    release() {
      if (ownLocks.delete(path) && isHeld()) rmSync(path, { force: true });
    },
  };
}

/** True when a live process holds the lock of a database. Read-only. */
export function isLocked(database: string): boolean {
  const holder = readHolder(`${database}.lock`);
  return holder !== undefined && isAlive(holder);
}

/**
 * True when it is unknown whether the holder of the lock file is alive: the file is unreadable, or names a pid of
 * another PID namespace that does not exist in this one.
 */
export function hasDoubtfulLock(database: string): boolean {
  const path = `${database}.lock`;
  if (!existsSync(path) || ownLocks.has(join(realpathSync(dirname(path)), basename(path)))) return false;
  const holder = readHolder(path);
  return holder === undefined || (holder.namespace !== pidNamespace() && !isAlive(holder));
}

/**
 * Identity of a file or folder: device, inode and creation time; undefined when it is absent. The creation time is
 * needed because a file system may reuse the inode of a removed file.
 */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}:${found.birthtimeNs}`;
}

function lockFile(path: string): void {
  if (ownLocks.has(path)) throw new HomeLockedError(path, process.pid);
  const mine: Holder = { pid: process.pid, start: processStart(process.pid), namespace: pidNamespace() };
  const prepared = `${path}.${process.pid}`;
  writeFileSync(prepared, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < FIXED_LIMITS.staleLockAttempts; attempt += 1) {
      if (linked(prepared, path)) {
        ownLocks.add(path);
        return;
      }
      const holder = readHolder(path);
      if (holder !== undefined && isAlive(holder)) throw new HomeLockedError(path, holder.pid);
      moveStaleAway(path);
    }
    throw new HomeLockedError(path, readHolder(path)?.pid ?? 0);
  } finally {
    rmSync(prepared, { force: true });
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Renames a stale lock file away. If another process took the lock in the meantime, puts its file back. */
function moveStaleAway(path: string): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const holder = readHolder(aside);
  if (holder !== undefined && isAlive(holder)) linked(aside, path);
  rmSync(aside, { force: true });
}

function readHolder(path: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof holder !== 'object' || holder === null || !('pid' in holder) || !('start' in holder)) return undefined;
    const { pid, start } = holder;
    const namespace = 'namespace' in holder && typeof holder.namespace === 'string' ? holder.namespace : '';
    return typeof pid === 'number' && typeof start === 'string' ? { pid, start, namespace } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, start }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false;
  }
  const now = processStart(pid);
  return now === '' || start === '' || now === start;
}

/** PID namespace of this process (pid_namespaces(7)); empty where /proc is absent. */
function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Boot id and process start time (clock ticks); empty where /proc is absent. */
function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has released its lock; only its exit code has not been read yet.
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}

/** The code of a system error, for example `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
