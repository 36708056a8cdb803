/**
 * One folder below the system's temporary folder for each run; everything else of the run is made in it, also by
 * daemons (`TMPDIR`). It is removed at the end, together with daemons that a killed worker could not end; the remains
 * of a killed run are removed at the beginning of the next one.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^chronicle-run-(\d+)-/;

/** Folder with an empty file for each running daemon, named for its process group. */
export const daemonFolder = (): string => join(tmpdir(), 'daemons');

export default function setup(): () => void {
  const before = process.env['TMPDIR'];
  for (const left of readdirSync(tmpdir())) {
    const owner = NAME.exec(left)?.[1];
    if (owner !== undefined && !isRunning(Number(owner))) clear(join(tmpdir(), left));
  }
  const folder = mkdtempSync(join(tmpdir(), `chronicle-run-${process.pid}-`));
  process.env['TMPDIR'] = folder;
  mkdirSync(daemonFolder());
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    clear(folder);
  };
}

/** Ends the daemons of a run that are still there, and removes its folder. */
function clear(folder: string): void {
  for (const group of daemonsOf(folder)) if (worksIn(group, folder)) killGroup(group);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

function daemonsOf(folder: string): readonly number[] {
  try {
    return readdirSync(join(folder, 'daemons')).map(Number);
  } catch {
    return [];
  }
}

/** False for an unrelated process that reused the number; without /proc this cannot be known. */
function worksIn(pid: number, folder: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Kills the rest of a process group, which may have ended already. */
export function killGroup(group: number): void {
  signalGroup(group, 'SIGKILL');
}

/** True while a process group has a process. The system does not give its number to another one until then. */
export function isGroupThere(group: number): boolean {
  return signalGroup(group, 0);
}

/** False for a process group without a process. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
