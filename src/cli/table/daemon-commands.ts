import { type Command, Option } from 'commander';
import type { OptionSpec } from '../../config/option-spec.js';
import { nearest } from '../../core/text/nearest.js';
import { childOf, optionOf } from './add-table.js';
import type { CliPorts } from '../context.js';
import { resolveOptions } from './daemon-flags.js';
import { DAEMON_ROWS, DAEMON_TOPICS, type DaemonRow } from './daemon-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { acceptEverywhere, acceptStartFlags } from '../line/peer-flags.js';

/** Receives the exit code of a daemon command. */
export type OnExit = (code: number) => void;

/** First words that need the options of all daemon commands: help, completion, and the aliases of `comet`. */
const REACHES_OTHERS: ReadonlySet<string> = new Set(['-h', '--help', 'completion', 'cometbft', 'tendermint']);

/**
 * Adds the daemon commands (`dev`, `start`, `init`, `reset`, `log` and so on). Only commands that the first word of
 * the command line can reach get the options of the table, because building them is slow.
 */
export function addDaemonCommands(program: Command, ports: CliPorts, first: string | undefined, onExit: OnExit): void {
  for (const row of DAEMON_ROWS) {
    const path = row.path ?? row.name;
    const [top = ''] = path.split(' ');
    const isReached = first === top || (first !== undefined && REACHES_OTHERS.has(first));
    addRow(childOf(program, path), row, ports, isReached ? ports.config.options : [], onExit);
  }
  for (const { path, doc } of DAEMON_TOPICS) childOf(program, path).description(doc);
}

/** Commands that every option of the table concerns; `init` writes them. */
const SHOWS_ALL: ReadonlySet<DaemonRow['name']> = new Set(['dev', 'start', 'abci', 'init']);

/** Adds one command. Its own options are declared first, so that they come first in its help. */
function addRow(command: Command, row: DaemonRow, ports: CliPorts, table: readonly OptionSpec[], onExit: OnExit): void {
  const { name, doc, alias, args = [], options = [] } = row;
  const runsNode = name === 'dev' || name === 'start';
  // Ignore empty words, as the Go node does: scripts produce them from empty variables.
  command.description(doc).allowExcessArguments(runsNode);
  if (alias !== undefined) command.alias(alias);
  // Commander adds no `help` to a default command.
  if (name === 'dev') command.helpCommand(true);
  if (name === 'start') acceptStartFlags(command);
  for (const argument of args) command.argument(argument.word, argument.doc);
  // set the default again, without a description, so that the help shows it in quotes
  for (const option of options) command.addOption(optionOf(option).default(option.default));
  const isShown = ({ key }: OptionSpec): boolean =>
    SHOWS_ALL.has(name) || key === 'home' || row.shown?.includes(key) === true;
  for (const spec of table) command.addOption(optionOfTable(spec).hideHelp(!isShown(spec)));
  acceptEverywhere(command);
  command.action(async function (this: Command) {
    if (runsNode) refuseWord(this);
    const { options: resolved, args: own } = await resolveOptions(ports, row, this);
    onExit(await ports.runDaemon(name, resolved, own));
  });
}

/** Rejects an extra word after a command that also has subcommands: it is a misspelled subcommand. */
function refuseWord(command: Command): void {
  const word = command.args.find((one) => one !== '');
  if (word === undefined) return;
  const hint = nearest(
    word,
    command.commands.map((one) => one.name()),
  );
  throw new CommandError(
    EXIT.usage,
    `unknown command '${command.name()} ${word}'${hint === undefined ? '' : `\n(Did you mean ${hint}?)`}`,
  );
}

function optionOfTable({ flag, doc, default: fallback, type, env, group, choices }: OptionSpec): Option {
  const shown = fallback === undefined || fallback === '' || type === 'boolean' ? '' : ` (default: ${fallback})`;
  const option = new Option(flag, `${doc}${shown} [${env}]`).helpGroup(`${group}:`);
  return choices === undefined ? option : option.choices(choices);
}
