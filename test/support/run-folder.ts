/**
 * One folder of the system's temporary ones per run, in which everything else of the run is made, also by daemons
 * (`TMPDIR`). It goes at the end, with the daemons that a killed worker could not end itself; what a killed run left
 * goes at the beginning of the next one.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^chronicle-run-(\d+)-/;

/** Folder with an empty file for each daemon that runs, named for its process group. */
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

/** False for a process of somebody else that got the number since; where /proc is absent nobody can tell. */
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

/** Kills what is left of a process group; one that has ended is fine. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
