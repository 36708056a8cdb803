import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failureLines, FAILURE_EXIT_CODES } from '../config/index.js';
import type { CommandOutput } from './run.js';

/** Set in the environment of a reading process. */
const READS = 'CHRONICLED_READS';

/** Signals by which a process ends that runs into a contradiction in its own memory or in a mapped file. */
const CRASHES: ReadonlySet<string> = new Set(['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

/** Shells and Node.js add a signal's number to this for an exit code. */
const SIGNALLED = 128;

/**
 * Runs a command that reads a home again in a process of its own: LevelDB ends the process (an assertion) on some
 * damaged bytes, and the death is reported as damage. Resolves with the exit code; a signal that ends the process of
 * its own ends this one too, and the other way round. In the process of its own it runs `read`.
 */
export function inReadingProcess(
  output: Pick<CommandOutput, 'stderr'>,
  read: () => Promise<number>,
  commandLine: readonly string[] = [...process.execArgv, ...process.argv.slice(1)],
): Promise<number> {
  if (process.env[READS] !== undefined) {
    // A command whose caller is gone must not go on and hold the lock of the home.
    process.once('disconnect', () => process.exit(SIGNALLED));
    process.channel?.unref();
    return read();
  }
  // The process may have no time to remove its temporary files.
  const folder = mkdtempSync(join(tmpdir(), 'chronicle-reading-'));
  const env = { ...process.env, [READS]: '1', TMPDIR: folder };
  const child = spawn(process.execPath, commandLine, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      rmSync(folder, { recursive: true, force: true });
      if (signal === null) return resolve(code ?? SIGNALLED);
      if (!CRASHES.has(signal)) {
        process.kill(process.pid, signal);
        return resolve(SIGNALLED);
      }
      const problem = `LevelDB ended the process that read the database (${signal}).`;
      output.stderr(`${failureLines({ id: 'E_LOG_CORRUPT', problem }).join('\n')}\n`);
      resolve(FAILURE_EXIT_CODES.E_LOG_CORRUPT);
    });
  });
}
