import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Contract } from '../core/abi/contract.js';
import { createDaemonConfig, failureLines, FAILURE_EXIT_CODES, systemFailure } from '../config/index.js';
import { EXIT } from '../config/exit-codes.js';
import { createHostKeyCrypto } from '../runtime/host/key-crypto.js';
import { createHostRandomness } from '../runtime/host/randomness.js';
import { VERSION } from '../runtime/host/version.js';
import type { CliPorts } from './context.js';
import type { CommandOutput } from './daemon/command-output.js';
import { runCommand } from './daemon/run-command.js';
import { createTextFiles } from './daemon/terminal.js';
import { createCli } from './cli.js';
import { createKeyFiles } from './keyring/key-files.js';

/** The environment of a command line: streams, variables, and the user at the terminal. */
export interface Caller extends Pick<CliPorts, 'env' | 'isColoured' | 'openPage' | 'readLine' | 'confirm'> {
  readonly output: CommandOutput;
  /** The user's home folder, which contains the default node home. */
  readonly userHome: string;
}

/**
 * Runs one command line (without the program's name) with this host's files and network. Resolves with the exit code;
 * never rejects. `run`: runs a command that starts a node or opens its home.
 */
export async function runCommandLine(
  argv: readonly string[],
  { output, userHome, ...caller }: Caller,
  run: typeof runCommand = runCommand,
): Promise<number> {
  const cli = createCli({
    ...caller,
    ...output,
    runDaemon: (command, options, args) => run(command, options, args, output),
    config: createDaemonConfig({
      env: caller.env,
      userHome,
      readFile: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
      isDirectory: (path) => existsSync(path) && statSync(path).isDirectory(),
    }),
    keyring: createKeyFiles,
    keyCrypto: createHostKeyCrypto({ keccak256: (data) => keccak_256(data) }),
    randomness: createHostRandomness(),
    version: VERSION,
    files: createTextFiles(),
    contracts: readContracts,
    compareChain: async (options) => (await import('./daemon/compare-chain.js')).compareChainIn(options, output),
    loadPreset: async (name) => (await import('../runtime/load-preset.js')).loadPreset(name),
    pause: (milliseconds) => pause(milliseconds),
  });
  try {
    return await cli.run(argv);
  } catch (error) {
    const failure = systemFailure(error);
    output.stderr(
      failure === undefined ? `chronicled failed: ${stackOf(error)}\n` : `${failureLines(failure).join('\n')}\n`,
    );
    return failure === undefined ? EXIT.failed : FAILURE_EXIT_CODES[failure.id];
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function readContracts(folders: readonly string[]): Promise<readonly Contract[]> {
  const { artifactFolders } = await import('../node/activity/artifact-files.js');
  const { Artifacts } = await import('../node/activity/artifacts.js');
  return (await new Artifacts({ keccak256: (data) => keccak_256(data) }, artifactFolders(folders)).load()) ?? [];
}
