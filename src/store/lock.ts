/**
 * The home's own lock. LevelDB's lock is an fcntl lock, which any open and close of its LOCK file in the owning process
 * drops. The file holds the pid, and the boot id and start time (where /proc has them) that tell the process from a
 * later one with the same pid. The file appears complete through link(2). A stale file is moved to a unique name before
 * it is checked again, so that two starting processes cannot both take the lock; LevelDB's lock is the second barrier.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { HomeLockedError } from './errors.js';

interface Holder {
  readonly pid: number;
  readonly start: string;
}

const held = new Set<string>();
const ATTEMPTS = 8;

/**
 * Takes the lock file at `path`; the returned function releases it (calling it twice is harmless). Throws
 * HomeLockedError.
 */
export function takeLock(path: string): () => void {
  if (held.has(path)) throw new HomeLockedError(path, process.pid);
  const mine: Holder = { pid: process.pid, start: processStart(process.pid) };
  const prepared = `${path}.${process.pid}`;
  writeFileSync(prepared, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (linked(prepared, path)) {
        held.add(path);
        return () => {
          if (held.delete(path)) rmSync(path, { force: true });
        };
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

/** Moves the file away; when it is a lock that another process took meanwhile, puts it back. */
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
    return typeof pid === 'number' && typeof start === 'string' ? { pid, start } : undefined;
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

/** Boot id and start time of a process in clock ticks; empty where /proc is absent. */
function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has closed its files; its parent has only not read the exit code yet.
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
