import { Command, CommanderError } from 'commander';
import { printable } from '../core/text/printable.js';
import { addCompletion } from './line/completion.js';
import { addCommands, addTopics, helpOfEmptyTopics } from './table/add-table.js';
import type { CliPorts } from './context.js';
import { addDaemonCommands } from './table/daemon-commands.js';
import { EXIT } from '../config/exit-codes.js';
import { CommandError } from './command-error.js';
import { withAdvice } from './line/foreign-flags.js';
import { groupCommands } from './line/help-groups.js';
import { HELP_LAYOUT } from './line/help-layout.js';
import { refuseUnknownTopic, withoutHelpWord } from './line/help-words.js';
import { firstWord } from './line/peer-flags.js';
import { DEV_COMMANDS } from './dev-commands.js';
import { addNotAvailable } from './line/not-available.js';
import { reachedBy, TOPICS } from './topics.js';
import { reorderWords } from './line/word-order.js';

export interface Cli {
  /** Runs one command line (without the program's own name) and returns the exit code. */
  run(argv: readonly string[]): Promise<number>;
}

const ASKS_FOR_THE_PROGRAM: ReadonlySet<string> = new Set(['-h', '--help', '-V', '--version']);

/** Commands that start a node. For a faster start, the options of all other commands are not built for them. */
const RUNS_A_NODE: ReadonlySet<string> = new Set(['dev', 'start', 'abci']);

/**
 * The command line of the node: commands, exit codes and messages, as `docs/interfaces/cli.md` lists them. Writes
 * through the ports only.
 */
export function createCli(ports: CliPorts): Cli {
  return {
    async run(line) {
      let exitCode: number = EXIT.ok;
      const argv = withoutHelpWord(line);
      const first = firstWord(argv);
      const words = isCommand(first) ? argv : ['dev', ...argv];
      const advised = (text: string): string => withAdvice(text, ordered, isRunOfNode(ordered));
      const program = await createProgram(ports, isCommand(first) ? first : 'dev', words, advised, (code) => {
        exitCode = code;
      });
      const ordered = reorderWords(program, words);
      try {
        refuseUnknownTopic(program, line);
        await program.parseAsync([...ordered], { from: 'user' });
        return exitCode;
      } catch (error) {
        if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
        if (!(error instanceof CommandError)) throw error;
        // A part of the message may come from a node or a file, so escape control characters.
        ports.stderr(`Error: ${printable(error.message)}\n`);
        return error.exitCode;
      }
    },
  };
}

/** True if the first word is a command. Without a command, `dev` runs. */
function isCommand(first: string | undefined): first is string {
  return first !== undefined && (!first.startsWith('-') || ASKS_FOR_THE_PROGRAM.has(first));
}

/** True for a command line that runs a node; false for `dev mine` and similar commands, which call a running one. */
function isRunOfNode([first = '', second = '']: readonly string[]): boolean {
  return RUNS_A_NODE.has(first) && !DEV_COMMANDS.some(({ path }) => path === `${first} ${second}`);
}

/**
 * Builds the commands that a command line can reach; `first` is its first word. `advised` rewrites error texts of the
 * parser.
 */
async function createProgram(
  ports: CliPorts,
  first: string,
  words: readonly string[],
  advised: (text: string) => string,
  onExit: (code: number) => void,
): Promise<Command> {
  const program = new Command('chronicled')
    .description('A whole local node of a Cosmos-style, Ethereum-compatible chain.')
    .version(ports.version, '-V, --version')
    .configureOutput({
      writeOut: ports.stdout,
      writeErr: ports.stderr,
      // Errors of the parser begin as those of commands do.
      outputError: (text, write) => write(advised(text).replace(/^error: /, 'Error: ')),
    })
    .configureHelp(HELP_LAYOUT)
    .showHelpAfterError('(add --help for usage)')
    .enablePositionalOptions()
    .exitOverride();
  addDaemonCommands(program, ports, first, onExit);
  if (RUNS_A_NODE.has(first)) {
    addCommands(program, ports, DEV_COMMANDS);
    return program;
  }
  addTopics(program, TOPICS);
  const files = await Promise.all(reachedBy(words.slice(Math.max(0, words.indexOf(first)))).map((file) => file()));
  for (const { commands } of files) addCommands(program, ports, commands);
  addCommands(program, ports, DEV_COMMANDS);
  helpOfEmptyTopics(program, TOPICS);
  addNotAvailable(program);
  addCompletion(program, ports);
  groupCommands(program);
  return program;
}
