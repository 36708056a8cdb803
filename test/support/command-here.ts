/**
 * A command of `chronicled` in the process of the test, through the function that the program calls. A process of its
 * own costs half a second of a processor, most of it for loading; tests of what only a process shows use `command.ts`:
 * damage that ends the process, kills, standard input, the working directory, temporary folders.
 */
import { homedir } from 'node:os';
import { runCommandLine } from '../../src/cli/command-line.js';
import { runCommand } from '../../src/cli/daemon/run-command.js';
import type { Ended } from './command.js';

/** Runs `chronicled ARGS` to its end; never rejects. Standard input is empty; relative paths are of this process. */
export async function chronicledHere(
  args: readonly string[],
  { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const code = await runCommandLine(
    args,
    {
      output: {
        stdout: (text) => void (written.stdout += text),
        stderr: (text) => void (written.stderr += text),
      },
      env: { ...process.env, ...env },
      userHome: homedir(),
      readLine: () => Promise.resolve(undefined),
      openPage: () => Promise.resolve(false),
    },
    (command, options, args, output) => runCommand(command, options, args, output, (_, read) => read()),
  );
  return { code, ...written };
}
