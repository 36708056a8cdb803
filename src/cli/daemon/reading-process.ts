import type { ChildProcess } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { failureLines, FAILURE_EXIT_CODES } from '../../config/index.js';
import { onEndSignals, SIGNALLED } from './end-signals.js';
import type { CommandOutput } from './command-output.js';

/** Environment variable that marks the child process. */
const READS = 'CHRONICLED_READS';

/** Signals of a crash, such as a failed assertion or a bad memory access. */
const CRASHES: ReadonlySet<string> = new Set(['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

/**
 * Runs `read` in a child process, because LevelDB aborts (an assertion) on some damaged bytes; a crash is reported as
 * damage. In the child it calls `read` directly. Resolves with the exit code; a termination signal to either process
 * ends both.
 */
export async function inReadingProcess(
  output: Pick<CommandOutput, 'stderr'>,
  read: () => Promise<number>,
  commandLine: readonly string[] = [...process.execArgv, ...process.argv.slice(1)],
): Promise<number> {
  if (process.env[READS] !== undefined) {
    // If the parent is gone, exit: the child must not keep the lock of the home.
    process.once('disconnect', () => process.exit(SIGNALLED));
    process.channel?.unref();
    // Limit heap growth: V8 would let a heap of short-lived rows grow to four times its live size. It is not a
    // process argument, because V8's code cache depends on the flags.
    setFlagsFromString('--heap-growing-percent=100');
    return read();
  }
  const { spawn } = await import('node:child_process');
  const { makeTemporaryFolder } = await import('../../store/files/temporary-folder.js');
  let child: ChildProcess | undefined;
  const ignore = onEndSignals((signal) => child?.kill(signal));
  // A crashed child cannot remove its temporary files, so this process does it.
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
