/**
 * One folder of the system's temporary ones per run, in which everything else of the run is made, also by daemons
 * (`TMPDIR`). It goes at the end, with the daemons that a killed worker could not end itself.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folder with an empty file for each daemon that runs, named for its process group. */
export const daemonFolder = (): string => join(tmpdir(), 'daemons');

export default function setup(): () => void {
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync(join(tmpdir(), 'chronicle-run-'));
  process.env['TMPDIR'] = folder;
  mkdirSync(daemonFolder());
  return () => {
    for (const group of readdirSync(daemonFolder())) killGroup(Number(group));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  };
}

/** Kills what is left of a process group; one that has ended is fine. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
