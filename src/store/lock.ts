/**
 * The home's own lock, because LevelDB's is dropped by any open and close of its LOCK file in the owning process
 * (reliability-security.md 0, F6). The file holds the pid and what tells this process from a later one with the same pid
 * (boot id and start time where /proc has them). It appears whole through link(2). A stale file is moved away under a
 * name of our own before it is judged again, so that two starters cannot both take it; LevelDB's lock stands behind it.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { HomeLockedError } from './errors.js';

interface Holder {
  readonly pid: number;
  readonly start: string;
}

const held = new Set<string>();
const ATTEMPTS = 8;

/** Takes the lock file at `path`; the returned function releases it (twice is harmless). Throws HomeLockedError. */
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

/** Moves the file away; when it turns out to be a lock that somebody took in between, puts it back. */
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
    // A zombie has closed its files; only its parent has not asked for the exit code yet.
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
