import type { ChildProcess } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { failureLines, FAILURE_EXIT_CODES } from '../../config/index.js';
import { onEndSignals, SIGNALLED } from './end-signals.js';
import type { CommandOutput } from './command-output.js';

/** Set in the environment of a reading process. */
const READS = 'CHRONICLED_READS';

/** Signals by which a process ends that runs into a contradiction in its own memory or in a mapped file. */
const CRASHES: ReadonlySet<string> = new Set(['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

/**
 * Runs a command that reads a home again in a process of its own: LevelDB ends the process (an assertion) on some
 * damaged bytes, and the death is reported as damage. Resolves with the exit code; a signal that ends the process of
 * its own ends this one too, and the other way round. In the process of its own it runs `read`.
 */
export async function inReadingProcess(
  output: Pick<CommandOutput, 'stderr'>,
  read: () => Promise<number>,
  commandLine: readonly string[] = [...process.execArgv, ...process.argv.slice(1)],
): Promise<number> {
  if (process.env[READS] !== undefined) {
    // A command whose caller is gone must not go on and hold the lock of the home.
    process.once('disconnect', () => process.exit(SIGNALLED));
    process.channel?.unref();
    // A heap of short-lived rows: V8 would let it grow to four times of what is used. Not an argument of the process,
    // because the code that V8 keeps belongs to its flags.
    setFlagsFromString('--heap-growing-percent=100');
    return read();
  }
  const { spawn } = await import('node:child_process');
  const { makeTemporaryFolder } = await import('../../store/files/temporary-folder.js');
  let child: ChildProcess | undefined;
  const ignore = onEndSignals((signal) => child?.kill(signal));
  // The process may have no time to remove its temporary files.
  const { path: folder, remove } = makeTemporaryFolder('chronicle-reading-');
  const env = { ...process.env, [READS]: '1', TMPDIR: folder };
  const started = spawn(process.execPath, commandLine, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
  child = started;
  return new Promise((resolve, reject) => {
    started.once('error', reject);
    started.once('exit', (code, signal) => {
      remove();
      ignore();
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
