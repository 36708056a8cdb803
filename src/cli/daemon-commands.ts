import { type Command, Option } from 'commander';
import type { DaemonOptions } from '../config/daemon-options.js';
import { type ConfigProblem, type DaemonCommand, isDataCommand, type OptionSpec } from '../config/option-spec.js';
import type { CliPorts, SnapshotAction } from './context.js';
import { STREAM_OF } from '../core/log-events.js';
import { nearest } from '../core/text/nearest.js';
import { valuesOfClientFile } from './client-file.js';
import { CommandError, EXIT } from './exit-codes.js';
import { takeEverywhere, takeStartFlags } from './peer-flags.js';

/** The form of a moment in arguments. */
const MOMENT = 'height, `latest`, or @position of the log';

/** Receives the exit code of a daemon command. */
export type OnExit = (code: number) => void;

/** First words that show the options of commands of another name, and the aliases of `comet`. */
const REACHES_OTHERS: ReadonlySet<string> = new Set(['-h', '--help', 'completion', 'cometbft', 'tendermint']);

/**
 * Adds `dev`, `start`, `init`, `reset` and `log`: commands that run the node itself, with options from the one table.
 * Only those that the first word of the command line reaches get the table: it is long, and the commands are many.
 */
export function addDaemonCommands(program: Command, ports: CliPorts, first: string | undefined, onExit: OnExit): void {
  const { daemon } = ports;
  const isReached = (top: string): boolean => first === top || (first !== undefined && REACHES_OTHERS.has(first));
  /** Options of the command itself come first in its help: they are declared before those of the table. */
  const add = (
    parent: Command,
    name: DaemonCommand,
    doc: string,
    run: (options: DaemonOptions) => Promise<number>,
    own: (command: Command) => Command = (command) => command,
    word = name.split(' ').at(-1) ?? name,
  ): Command =>
    withTable(
      own(parent.command(word).description(doc)),
      isReached(parent === program ? word : parent.name()) ? ports.config.options : [],
    )
      // A script that names no flag in a variable of its own writes an empty word, which the Go node passes over.
      .allowExcessArguments(name === 'dev' || name === 'start')
      .action(async function (this: Command) {
        if (name === 'dev' || name === 'start') refuseWord(this);
        const options = await resolved(ports, name, this);
        const refused = isDataCommand(name) ? await daemon.refuseHome(name, options) : undefined;
        onExit(refused ?? (await run(options)));
      });

  add(
    program,
    'dev',
    'run a chain with funded accounts on this machine (the default command)',
    (options) => daemon.dev(options),
    // The default command has no `help` unless it is added.
    (command) => command.helpCommand(true),
  );
  add(
    program,
    'start',
    'run the node of an initialised home',
    (options) => daemon.start(options),
    (command) => {
      takeStartFlags(command);
      return command;
    },
  );
  add(
    program,
    'abci',
    'serve this node to a consensus engine (CometBFT 0.38) over the ABCI socket',
    (options) => daemon.abci(options),
    (command) =>
      command
        .option(
          '--address <address>',
          "where the engine finds it, tcp://host:port or unix://path (CometBFT's proxy_app)",
          'tcp://127.0.0.1:26658',
        )
        .option('--comet <url>', "the engine's RPC, to which transactions are brought", 'http://127.0.0.1:26657'),
  );
  add(
    program,
    'init',
    'write the home (configuration, genesis, keys) without starting',
    (options) => daemon.init(options),
    (command) =>
      command
        .argument('[moniker]', 'name of the node')
        .option('-o, --overwrite', 'replace files that exist')
        .option('--recover', "make the validator's key of a mnemonic, which is read from standard input")
        .option('--default-denom <denom>', 'base denom'),
  );
  add(
    program,
    'reset',
    'remove the data of the home; keys and configuration stay',
    (options) => daemon.reset(options),
    (command) => command.option('-y, --yes', 'do not ask'),
  );
  add(
    program,
    'rollback',
    'take the state of a stopped home back by one block, which the next start executes again',
    (options) => daemon.rollback(options),
    (command) => command.option('--hard', 'take the block away, too'),
  );
  add(
    program,
    'backup',
    'copy a home, on which a node may be running, into a new folder',
    (options) => daemon.backup(options),
    (command) => command.argument('<folder>', 'folder that does not exist yet'),
  );
  add(
    program,
    'prune',
    'delete what --pruning, --min-retain-blocks and --min-retain-time do not keep of a stopped home',
    (options) => daemon.prune(options),
    (command) => command.argument('[pruning-method]', 'the value of --pruning'),
  );
  const comet = program.command('comet');
  // The node keeps no address book, and the state of its validator is in its log.
  for (const name of ['unsafe-reset-all', 'reset-state'])
    add(
      comet,
      'reset',
      `remove the data of the home${name === 'reset-state' ? ' but its snapshots' : ''}, without a question; keys and configuration stay`,
      (options) => {
        const keepSnapshots = name === 'reset-state';
        return daemon.reset({ ...options, command: { ...options.command, yes: true, keepSnapshots } });
      },
      (command) =>
        command.alias(name.replaceAll('-', '_')).option('--keep-addr-book', 'nothing to do: there is no address book'),
      name,
    );
  add(
    program,
    'export',
    'print the state of a stopped home as a genesis file',
    (options) => daemon.exportState(options),
    (command) =>
      command
        .option('--height <height>', 'state after this block; -1 is the last one')
        .option('--output-document <file>', 'write to a file in place of standard output'),
  );

  const snapshots = program.command('snapshots').description('snapshots of the state, from which another home begins');
  const snapshot = (action: SnapshotAction, doc: string, own: (command: Command) => Command = (one) => one): Command =>
    add(snapshots, `snapshots ${action}`, doc, (options) => daemon.snapshots(action, options), own);
  const named = (command: Command): Command => command.argument('<height>').argument('<format>');
  snapshot('list', 'list the snapshots of the home');
  snapshot('export', 'take a snapshot of the state of a stopped home', (command) =>
    command.option('--height <height>', 'height of the state, which is that of the last block'),
  );
  snapshot('restore', 'begin the chain of an empty home with one of its snapshots', named);
  snapshot('dump', 'write a snapshot as an archive (.tar.gz)', (command) =>
    named(command).option('-o, --output <file>', 'the archive (default: <height>-<format>.tar.gz)'),
  );
  snapshot('load', 'take a snapshot of an archive into the home', (command) => command.argument('<archive-file>'));
  snapshot('delete', 'remove a snapshot of the home', named);

  const log = program.command('log').description('the event log of the home');
  add(
    log,
    'log verify',
    'read everything and report damage',
    (options) => daemon.logVerify(options),
    (command) =>
      command.option('--execute', 'execute every block again from genesis and compare').addOption(outputOption()),
  );
  add(
    log,
    'log rebuild',
    'rebuild the database from the log',
    (options) => daemon.logRebuild(options),
    (command) => command.addOption(outputOption()),
  );
  add(
    log,
    'log export',
    'print records, one a line, so that an import gives the same bytes',
    (options) => daemon.logExport(options),
    (command) =>
      command
        .option('--from <position>', 'first position', '1')
        .option('--to <position>', 'last position (default: the end of the log)')
        .option('--output-document <file>', 'write to a file in place of standard output'),
  );
  add(
    log,
    'log import',
    'make or continue the home from exported records',
    (options) => daemon.logImport(options),
    (command) => command.argument('[file]', 'lines of `log export` (default: standard input)'),
  );
  const upgrade = program.command('upgrade').description('schedule, cancel and rehearse upgrades');
  add(
    upgrade,
    'upgrade rehearse',
    'run an upgrade on a copy of the state and print what it changes',
    (options) => daemon.upgradeRehearse(options),
    (command) =>
      command
        .argument('<name>', 'name of the upgrade')
        .option('--blocks <count>', 'blocks after the one of the upgrade', '3')
        .addOption(outputOption('text')),
  );
  add(
    program,
    'pre-upgrade',
    'rehearse the upgrade that a stopped home waits for: 0 it works, 30 it fails, 31 the home cannot be read now',
    (options) => daemon.preUpgrade(options),
  );
  add(
    log,
    'log show',
    'print events, one a line',
    (options) => daemon.logShow(options),
    (command) =>
      command
        .argument('[file]', 'lines of `log export` (default: the log of the home)')
        .option('--from <position>', 'first position (default: 1; with --follow the end of the log)')
        .option('--to <position>', 'last position (default: the end of the log)')
        .option('--limit <count>', 'events at most', '100')
        .option('--type <types>', 'only events of these types, separated by commas')
        .option('--height <height>', 'only events of the block of this height')
        .option('--tx <hash>', 'only admission, drop and block of a transaction')
        .option('--follow', 'ask the running node, and print what comes, until the command is ended')
        .addOption(outputOption()),
  );
  add(
    log,
    'log diff',
    'print what changed in the state between two moments',
    (options) => daemon.logDiff(options),
    (command) =>
      command
        .argument('<from>', `${MOMENT} before`)
        .argument('<to>', `${MOMENT} after`)
        .option('--store <name>', 'only rows of this store')
        .option('--limit <count>', 'rows at most', '100')
        .addOption(outputOption('text')),
  );
  add(
    program,
    'state',
    'print the rows of the state at a moment',
    (options) => daemon.stateAt(options),
    (command) =>
      command
        .option('--at <moment>', MOMENT, 'latest')
        .option('--store <name>', 'only rows of this store')
        .option('--limit <count>', 'rows at most', '100')
        .addOption(outputOption('text')),
  );
}

/**
 * Refuses an extra word after a command that runs by itself and may have commands below it: the word is a misspelled
 * command.
 */
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

function outputOption(format: 'text' | 'json' = 'json'): Option {
  return new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default(format);
}

function withTable(command: Command, specs: readonly OptionSpec[]): Command {
  for (const spec of specs) {
    const option = new Option(
      spec.flag,
      `${spec.doc}${spec.default === undefined || spec.default === '' || spec.type === 'boolean' ? '' : ` (default: ${spec.default})`} [${spec.env}]`,
    ).helpGroup(`${spec.group}:`);
    command.addOption(spec.choices === undefined ? option : option.choices(spec.choices));
  }
  takeEverywhere(command);
  return command;
}

/** The options of a command by key: typed values, resolved with the other sources of configuration. */
async function resolved(ports: CliPorts, name: DaemonCommand, command: Command): Promise<DaemonOptions> {
  const typed: readonly (readonly [string, unknown])[] = command.options.map((option) => [
    option.name(),
    command.getOptionValue(option.attributeName()),
  ]);
  const flags = new Map(
    typed.filter(([, value]) => value !== undefined).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const [word] = command.args;
  if (word !== undefined && name === 'init') flags.set('moniker', word);
  if (name === 'init' && !flags.has('chain-id'))
    for (const [key, value] of valuesOfClientFile(ports, flags.get('home'), [{ name: 'chain-id', choices: undefined }]))
      flags.set(key, value);
  const denom = flags.get('default-denom');
  if (denom !== undefined && !flags.has('denom')) flags.set('denom', denom);
  if (flags.has('recover')) flags.set('recover', await mnemonicOf(ports));
  if (word !== undefined && word !== '-' && (name === 'log import' || name === 'log show')) flags.set('file', word);
  if (word !== undefined && name === 'upgrade rehearse') flags.set('name', word);
  if (name === 'prune') {
    if (word !== undefined) flags.set('pruning', word);
    // The command has no use for it, and as in the Go node it need not be given.
    if (!flags.has('pruning-interval')) flags.set('pruning-interval', '10');
  }
  if (word !== undefined && name.startsWith('snapshots ')) takeSnapshot(name, flags, command.args);
  if (word !== undefined && name === 'backup') flags.set('folder', word);
  if (name === 'log diff') {
    flags.set('moment-a', word ?? '');
    flags.set('moment-b', command.args[1] ?? '');
  }
  checkReading(flags);
  const from = flags.get('from');
  const height = flags.get('height');
  if (height !== undefined && !/^(-1|[1-9][0-9]{0,17})$/.test(height))
    throw new CommandError(EXIT.usage, `--height: ${JSON.stringify(height)} is not a height`);
  const limit = flags.get('limit');
  for (const [key, value] of [
    ['from', from],
    ['to', flags.get('to')],
    ['limit', limit],
    ['blocks', flags.get('blocks')],
  ] as const) {
    if (value !== undefined && !/^[0-9]{1,15}$/.test(value))
      throw new CommandError(EXIT.usage, `--${key}: ${JSON.stringify(value)} is not a whole number`);
  }
  const result = ports.config.resolve(name, flags);
  if (!result.ok) throw configError(result.problem);
  const problem = await ports.config.check(result.options);
  if (problem !== undefined) throw configError(problem);
  return result.options;
}

/** The words of a command over a snapshot: an archive, or height and format. */
function takeSnapshot(name: DaemonCommand, flags: Map<string, string>, [first = '', format]: readonly string[]): void {
  if (name === 'snapshots load') flags.set('file', first);
  if (format === undefined) return;
  if (!/^[1-9][0-9]{0,17}$/.test(first)) throw new CommandError(EXIT.usage, `${JSON.stringify(first)} is not a height`);
  if (!/^[0-9]{1,9}$/.test(format)) throw new CommandError(EXIT.usage, `${JSON.stringify(format)} is not a format`);
  flags.set('height', first).set('format', format);
  const file = flags.get('output');
  if (name === 'snapshots dump' && file !== undefined) flags.set('output-document', file);
  flags.delete('output');
}

/** Refuses moments, types of events and hashes that are none. */
function checkReading(flags: ReadonlyMap<string, string>): void {
  for (const key of ['moment-a', 'moment-b', 'at'])
    if (flags.has(key) && !/^(latest|@?[0-9]{1,18})$/.test(flags.get(key) ?? ''))
      throw new CommandError(EXIT.usage, `${JSON.stringify(flags.get(key))} is no ${MOMENT}`);
  const unknown = flags
    .get('type')
    ?.split(',')
    .find((type) => !Object.hasOwn(STREAM_OF, type));
  if (unknown !== undefined)
    throw new CommandError(
      EXIT.usage,
      `--type: ${JSON.stringify(unknown)} is none of ${Object.keys(STREAM_OF).join(', ')}`,
    );
  const tx = flags.get('tx');
  if (tx !== undefined && !/^(0x)?[0-9a-fA-F]{64}$/.test(tx))
    throw new CommandError(EXIT.usage, `--tx: ${JSON.stringify(tx)} is not a hash of 32 bytes`);
}

/** The words of `init --recover`. Throws a usage error for others than those of a mnemonic. */
async function mnemonicOf({ readLine }: CliPorts): Promise<string> {
  const words = (await readLine('Mnemonic of the validator: ', true))?.trim() ?? '';
  const { isMnemonic } = await import('../core/keys/mnemonic.js');
  if (!isMnemonic(words))
    throw new CommandError(EXIT.usage, 'init --recover: not the words of a BIP-39 mnemonic with a correct checksum');
  return words;
}

function configError({ code, message }: ConfigProblem): CommandError {
  return new CommandError(EXIT.config, `${code}: ${message}`);
}
