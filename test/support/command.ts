/** Runs a command of `chronicled` that ends by itself, and captures its output and exit code. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ownEnvironment } from './own-environment.js';

export const PROGRAM = fileURLToPath(new URL('../../dist/node/main.js', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Time after which a command that does not end is killed, milliseconds. */
const COMMAND_MS_MAX = 45_000;

/** Runs `chronicled ARGS` to its end, with `input` as all of standard input; never rejects. */
export function chronicled(
  args: readonly string[],
  options: {
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly input?: string;
    readonly timeout?: number;
  } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const env = ownEnvironment(options.env);
    const child = execFile(
      process.execPath,
      [PROGRAM, ...args],
      {
        env,
        timeout: options.timeout ?? COMMAND_MS_MAX,
        killSignal: 'SIGKILL',
        ...(options.cwd !== undefined && { cwd: options.cwd }),
      },
      (_, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, stdout, stderr });
      },
    );
    if (options.input !== undefined) child.stdin?.end(options.input);
  });
}
