/** The `chronicled` command: connects the command line to the host. Daemon commands are imported when they run. */
import '../runtime/host/guard-native.js';
import { homedir } from 'node:os';
import { isColourWanted } from '../config/colours.js';
import { failureLines, FAILURE_EXIT_CODES } from '../config/index.js';
import { runCommandLine } from './command-line.js';
import { closeInput, confirm, readLine } from './daemon/terminal.js';

/** Oldest release of Node.js that runs this package: major and minor version. */
const MIN_NODE = [20, 19] as const;

const output = {
  stdout: (text: string): void => void process.stdout.write(text),
  stderr: (text: string): void => void process.stderr.write(text),
  ...(process.stderr.isTTY && { status: (text: string): void => void process.stderr.write(`\r${text}\x1b[K`) }),
};

// The reader of a pipe has closed it, as in `chronicled ... | head -1`: a command exits, a node continues.
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

void main();

async function main(): Promise<void> {
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    output,
    env: process.env,
    userHome: homedir(),
    isColoured: process.stdout.isTTY && isColourWanted(process.env),
    readLine,
    openPage: async (address) => (await import('./open-page.js')).openPage(address),
    ...(process.stdin.isTTY && { confirm }),
  });
  closeInput();
  // Exit explicitly: libraries may keep handles open, but all data is closed and flushed.
  if (process.exitCode !== 0 || runsNode(process.argv[2])) process.exit();
}

/** True if the first word of a command line starts a node; flags without a command mean `dev`. */
function runsNode(word: string | undefined): boolean {
  return word === undefined || word === 'dev' || word === 'start' || word === 'abci' || word.startsWith('-');
}
