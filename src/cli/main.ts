import '../runtime/host/guard-native.js';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { createCli } from './index.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Contract } from '../core/abi/contract.js';
import { isColourWanted } from '../config/colours.js';
import { createDaemonConfig, failureLines, FAILURE_EXIT_CODES, systemFailure } from '../config/index.js';
import { createHostKeyCrypto } from '../runtime/host/key-crypto.js';
import { createHostRandomness } from '../runtime/host/randomness.js';
import { runCommand } from './daemon/run-command.js';
import { closeInput, createTextFiles, readLine } from './daemon/terminal.js';
import { createKeyFiles } from './keyring/key-files.js';
import { VERSION } from '../runtime/host/version.js';

/** The `chronicled` command: connects the command line to the host. Daemon commands are imported when they run. */
const MIN_NODE = [20, 19] as const;

const output = {
  stdout: (text: string): void => void process.stdout.write(text),
  stderr: (text: string): void => void process.stderr.write(text),
  ...(process.stderr.isTTY && { status: (text: string): void => void process.stderr.write(`\r${text}\x1b[K`) }),
};

// As in `chronicled ... | head -1`: the reader has left, and the command ends. A node goes on without its reader.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!runsNode(process.argv[2])) process.exit();
  });
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1])) {
  output.stderr(
    `${failureLines({ id: 'E_NODE_VERSION', current: process.versions.node, needed: MIN_NODE.join('.') }).join('\n')}\n`,
  );
  process.exit(FAILURE_EXIT_CODES.E_NODE_VERSION);
}

async function confirm(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(question)).trim());
  } finally {
    prompt.close();
  }
}

const cli = createCli({
  runDaemon: (command, options) => runCommand(command, options, output),
  config: createDaemonConfig({
    env: process.env,
    userHome: homedir(),
    readFile: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    isDirectory: (path) => existsSync(path) && statSync(path).isDirectory(),
  }),
  ...output,
  env: process.env,
  keyring: createKeyFiles,
  keyCrypto: createHostKeyCrypto({ keccak256: (data) => keccak_256(data) }),
  randomness: createHostRandomness(),
  version: VERSION,
  files: createTextFiles(),
  contracts: readContracts,
  compareChain: async (options) => (await import('./daemon/compare-chain.js')).compareChainIn(options, output),
  loadPreset: async (name) => (await import('../runtime/load-preset.js')).loadPreset(name),
  isColoured: process.stdout.isTTY && isColourWanted(process.env),
  readLine,
  pause: (milliseconds) => pause(milliseconds),
  openPage: async (address) => (await import('./open-page.js')).openPage(address),
  ...(process.stdin.isTTY && { confirm }),
});

void main();

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function readContracts(folders: readonly string[]): Promise<readonly Contract[]> {
  const { artifactFolders } = await import('../node/activity/artifact-files.js');
  const { Artifacts } = await import('../node/activity/artifacts.js');
  return (await new Artifacts({ keccak256: (data) => keccak_256(data) }, artifactFolders(folders)).load()) ?? [];
}

async function main(): Promise<void> {
  try {
    process.exitCode = await cli.run(process.argv.slice(2));
    closeInput();
  } catch (error) {
    const failure = systemFailure(error);
    output.stderr(
      failure === undefined ? `chronicled failed: ${stackOf(error)}\n` : `${failureLines(failure).join('\n')}\n`,
    );
    process.exitCode = failure === undefined ? 1 : FAILURE_EXIT_CODES[failure.id];
  }
  // An ended daemon command may leave handles of libraries open; everything that matters was closed and flushed before.
  if (process.exitCode !== 0 || runsNode(process.argv[2])) process.exit();
}

/** True for the first word of a command line that runs a node; flags alone mean `dev`. */
function runsNode(word: string | undefined): boolean {
  return word === undefined || word === 'dev' || word === 'start' || word === 'abci' || word.startsWith('-');
}
