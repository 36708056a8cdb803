import type { DaemonCommand } from '../../config/option-spec.js';
import type { OptionRow } from './command-table.js';

/** A positional argument. Its value is stored under its name, or under `key`. */
export interface ArgumentRow {
  /** The argument in commander's syntax, for example `<height>`. */
  readonly word: string;
  readonly doc?: string;
  readonly key?: string;
}

/** A daemon command: it runs the node or opens its home. Help and options are generated from this row. */
export interface DaemonRow {
  readonly name: DaemonCommand;
  readonly doc: string;
  /** Words of the command line; by default `name`. Several rows may run the same command. */
  readonly path?: string;
  readonly alias?: string;
  readonly args?: readonly ArgumentRow[];
  /** Options in addition to those of every daemon command. */
  readonly options?: readonly OptionRow[];
  /** Keys of the node's options that concern a command which runs no node, beside `home`: its help shows no others. */
  readonly shown?: readonly string[];
  /** Values that this row sets and the user cannot change. */
  readonly fixed?: ReadonlyMap<string, string>;
}

/** Help text for a moment argument. */
export const MOMENT = 'height, `latest`, or @position of the log';

const ROWS_AT_MOST: OptionRow = { flag: '--limit <count>', doc: 'rows at most', default: '100' };
const ONE_STORE: OptionRow = { flag: '--store <name>', doc: 'only rows of this store' };
const TO: OptionRow = { flag: '--to <position>', doc: 'last position (default: the end of the log)' };
const FILE: OptionRow = { flag: '--output-document <file>', doc: 'write to a file in place of standard output' };

function output(format: 'text' | 'json'): OptionRow {
  return { flag: '-o, --output <format>', doc: 'output format', choices: ['text', 'json'], default: format };
}

/**
 * `reset` of CometBFT also handles an address book and the validator's state. Here there is no address book, and the
 * log has the validator's state.
 */
const RESETS: Pick<DaemonRow, 'name' | 'options'> = {
  name: 'reset',
  options: [{ flag: '--keep-addr-book', doc: 'nothing to do: there is no address book' }],
};

const SNAPSHOT: readonly ArgumentRow[] = [{ word: '<height>' }, { word: '<format>' }];

/** Topics of the daemon commands. */
export const DAEMON_TOPICS = [
  { path: 'snapshots', doc: 'snapshots of the state, from which another home begins' },
  { path: 'log', doc: 'the event log of the home' },
  { path: 'upgrade', doc: 'schedule, cancel and rehearse upgrades' },
] as const;

/** The commands that run the node or open its home, in the order of the help. */
export const DAEMON_ROWS: readonly DaemonRow[] = [
  { name: 'dev', doc: 'run a chain with funded accounts on this machine (the default command)' },
  { name: 'start', doc: 'run the node of an initialised home' },
  {
    name: 'abci',
    doc: 'serve this node to a consensus engine (CometBFT 0.38) over the ABCI socket',
    options: [
      {
        flag: '--address <address>',
        doc: "where the engine finds it, tcp://host:port or unix://path (CometBFT's proxy_app)",
        default: 'tcp://127.0.0.1:26658',
      },
      {
        flag: '--comet <url>',
        doc: "the engine's RPC, to which transactions are brought",
        default: 'http://127.0.0.1:26657',
      },
    ],
  },
  {
    name: 'init',
    doc: 'write the home (configuration, genesis, keys) without starting',
    args: [{ word: '[moniker]', doc: 'name of the node' }],
    options: [
      { flag: '-o, --overwrite', doc: 'replace files that exist' },
      { flag: '--recover', doc: "make the validator's key of a mnemonic, which is read from standard input" },
      { flag: '--default-denom <denom>', doc: 'base denom' },
    ],
  },
  {
    name: 'reset',
    doc: 'remove the data of the home; keys and configuration stay',
    options: [{ flag: '-y, --yes', doc: 'do not ask' }],
  },
  {
    name: 'rollback',
    doc: 'take the state of a stopped home back by one block, which the next start executes again',
    options: [{ flag: '--hard', doc: 'take the block away, too' }],
  },
  {
    name: 'backup',
    doc: 'copy a home, on which a node may be running, into a new folder',
    args: [{ word: '<folder>', doc: 'folder that does not exist yet' }],
  },
  {
    name: 'prune',
    doc: 'delete what --pruning, --min-retain-blocks and --min-retain-time do not keep of a stopped home',
    args: [{ word: '[pruning-method]', doc: 'the value of --pruning', key: 'pruning' }],
    shown: ['pruning', 'pruning-keep-recent', 'pruning-interval', 'min-retain-blocks', 'min-retain-time'],
  },
  {
    ...RESETS,
    path: 'comet unsafe-reset-all',
    alias: 'unsafe_reset_all',
    doc: 'remove the data of the home, without a question; keys and configuration stay',
    fixed: new Map([['yes', 'true']]),
  },
  {
    ...RESETS,
    path: 'comet reset-state',
    alias: 'reset_state',
    doc: 'remove the data of the home but its snapshots, without a question; keys and configuration stay',
    fixed: new Map([
      ['yes', 'true'],
      ['keep-snapshots', 'true'],
    ]),
  },
  {
    name: 'export',
    doc: 'print the state of a stopped home as a genesis file',
    options: [{ flag: '--height <height>', doc: 'state after this block; -1 is the last one' }, FILE],
  },
  { name: 'snapshots list', doc: 'list the snapshots of the home' },
  {
    name: 'snapshots export',
    doc: 'take a snapshot of the state of a stopped home',
    options: [{ flag: '--height <height>', doc: 'height of the state, which is that of the last block' }],
  },
  {
    name: 'snapshots restore',
    doc: 'begin the chain of an empty home with one of its snapshots',
    args: SNAPSHOT,
  },
  {
    name: 'snapshots dump',
    doc: 'write a snapshot as an archive (.tar.gz)',
    args: SNAPSHOT,
    options: [{ flag: '-o, --output <file>', doc: 'the archive (default: <height>-<format>.tar.gz)' }],
  },
  {
    name: 'snapshots load',
    doc: 'take a snapshot of an archive into the home',
    args: [{ word: '<archive-file>', key: 'file' }],
  },
  { name: 'snapshots delete', doc: 'remove a snapshot of the home', args: SNAPSHOT },
  {
    name: 'log verify',
    doc: 'read everything and report damage',
    options: [{ flag: '--execute', doc: 'execute every block again from genesis and compare' }, output('json')],
  },
  { name: 'log rebuild', doc: 'rebuild the database from the log', options: [output('json')] },
  {
    name: 'log export',
    doc: 'print records, one a line, so that an import gives the same bytes',
    options: [{ flag: '--from <position>', doc: 'first position', default: '1' }, TO, FILE],
  },
  {
    name: 'log import',
    doc: 'make or continue the home from exported records',
    args: [{ word: '[file]', doc: 'lines of `log export` (default: standard input)' }],
  },
  {
    name: 'upgrade rehearse',
    doc: 'run an upgrade on a copy of the state and print what it changes',
    args: [{ word: '<name>', doc: 'name of the upgrade' }],
    options: [{ flag: '--blocks <count>', doc: 'blocks after the one of the upgrade', default: '3' }, output('text')],
  },
  {
    name: 'pre-upgrade',
    doc: 'rehearse the upgrade that a stopped home waits for: 0 it works, 30 it fails, 31 the home cannot be read now',
  },
  {
    name: 'log show',
    doc: 'print events, one a line',
    args: [{ word: '[file]', doc: 'lines of `log export` (default: the log of the home)' }],
    options: [
      { flag: '--from <position>', doc: 'first position (default: 1; with --follow the end of the log)' },
      TO,
      { flag: '--limit <count>', doc: 'events at most', default: '100' },
      { flag: '--type <types>', doc: 'only events of these types, separated by commas' },
      { flag: '--height <height>', doc: 'only events of the block of this height' },
      { flag: '--tx <hash>', doc: 'only admission, drop and block of a transaction' },
      { flag: '--follow', doc: 'ask the running node, and print what comes, until the command is ended' },
      output('json'),
    ],
    shown: ['json-rpc.address', 'port-base'],
  },
  {
    name: 'log diff',
    doc: 'print what changed in the state between two moments',
    args: [
      { word: '<from>', doc: `${MOMENT} before`, key: 'moment-a' },
      { word: '<to>', doc: `${MOMENT} after`, key: 'moment-b' },
    ],
    options: [ONE_STORE, ROWS_AT_MOST, output('text')],
  },
  {
    name: 'state',
    doc: 'print the rows of the state at a moment',
    options: [{ flag: '--at <moment>', doc: MOMENT, default: 'latest' }, ONE_STORE, ROWS_AT_MOST, output('text')],
  },
];
