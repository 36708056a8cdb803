import type { DaemonOptions } from './daemon-options.js';

/** One option. Flags, environment variables, toml keys, help and reference pages are all made from tables of these. */
export interface OptionSpec {
  /** The flag in commander's form, for example `--block-time <seconds>`. */
  readonly flag: string;
  /** Key in chronicled.toml, dotted; also the name in messages. */
  readonly key: string;
  readonly env: string;
  /** `seconds` is a time between blocks. */
  readonly type: 'string' | 'integer' | 'number' | 'seconds' | 'boolean';
  readonly choices?: readonly string[];
  /** Default value; undefined when another option or the mode decides. */
  readonly default?: string;
  readonly group: OptionGroup;
  readonly doc: string;
}

export type OptionGroup = 'Chain' | 'Blocks' | 'Accounts' | 'Addresses' | 'Upgrades' | 'Storage' | 'Output';

export type DaemonCommand = DataCommand | FileCommand;

/** Commands that use files of a home but not its database, and `reset`. */
type FileCommand = 'init' | 'reset' | 'snapshots list' | 'snapshots load' | 'snapshots dump' | 'snapshots delete';

/** Commands that open the database of a home; they refuse a database of another format before they run. */
export const DATA_COMMANDS = [
  'dev',
  'start',
  'abci',
  'log verify',
  'log show',
  'log diff',
  'state',
  'log rebuild',
  'log export',
  'log import',
  'upgrade rehearse',
  'pre-upgrade',
  'rollback',
  'prune',
  'backup',
  'export',
  'snapshots export',
  'snapshots restore',
] as const;
export type DataCommand = (typeof DATA_COMMANDS)[number];

/** True for a command that opens the data of a home. */
export function isDataCommand(command: DaemonCommand): command is DataCommand {
  return DATA_COMMANDS.some((one) => one === command);
}

/** A problem of the configuration: what is wrong, why, and what to do, one line each. */
export interface ConfigProblem {
  readonly code: 'E_CONFIG';
  readonly message: string;
}

export type Resolved =
  | { readonly ok: true; readonly options: DaemonOptions }
  | { readonly ok: false; readonly problem: ConfigProblem };

/** One option with its value and its origin: a flag, a variable, a file with its key, or the default. */
export interface ExplainedOption {
  readonly key: string;
  /** Undefined when no source sets it and the node decides. */
  readonly value: string | undefined;
  readonly origin: string;
}

export type Explained =
  | { readonly ok: true; readonly home: string; readonly options: readonly ExplainedOption[] }
  | { readonly ok: false; readonly problem: ConfigProblem };

/** A configuration file that the Go node also has, without its suffix `.toml`. */
export type HomeFileName = 'client' | 'app' | 'config';

export type HomeFile =
  | { readonly ok: true; readonly path: string; readonly values: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly problem: ConfigProblem };

/** Keys of a file of the Go node. */
export interface FileKeys {
  /** Keys with an option of this daemon, mapped to the option's key. */
  readonly options: ReadonlyMap<string, string>;
  /** Keys without an option of this daemon, with the pattern of their values. */
  readonly others: ReadonlyMap<string, RegExp>;
}

/** Resolves command lines into options; flags are texts by key. */
export interface DaemonConfig {
  readonly options: readonly OptionSpec[];
  resolve(command: DaemonCommand, flags: ReadonlyMap<string, string>): Resolved;
  /** Every option with the value and origin that `command` would use. */
  explain(command: DaemonCommand, flags: ReadonlyMap<string, string>): Explained;
  /**
   * Values by key of a file of the home, and its path; no values if the file does not exist. They are defaults for
   * flags: client.toml for client commands, app.toml and config.toml for `start`.
   */
  homeFile(name: HomeFileName, flags: ReadonlyMap<string, string>): HomeFile;
  /** The keys of app.toml and config.toml that `start` reads. */
  readonly fileKeys: Readonly<Record<'app' | 'config', FileKeys>>;
  /** Checks words and checksum of the mnemonic. It is separate because it loads the word list. */
  check(options: DaemonOptions): Promise<ConfigProblem | undefined>;
}
