import type { CommandContext } from './context.js';
import type { Flags } from './flags.js';

/** The implementation of a command, loaded when the command runs. */
export type CommandBody = (context: CommandContext, args: readonly string[], flags: Flags) => Promise<void> | void;

/** One option of a command, as commander reads it. */
export interface OptionRow {
  readonly flag: string;
  readonly doc: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  readonly required?: boolean;
}

/** Sets of options that many commands share (`option-sets.ts`). */
export type OptionSet = 'output' | 'node' | 'height' | 'page' | 'keyring' | 'tx' | 'eth';

/** One command. The program, its help and the shell completions are all made from tables of these rows. */
export interface CommandRow {
  /** The words of the command, for example `query bank balances`. */
  readonly path: string;
  /** Arguments as commander reads them, for example `<address> [denom]`. */
  readonly args?: string;
  readonly doc: string;
  readonly aliases?: readonly string[];
  readonly sets: readonly OptionSet[];
  readonly options?: readonly OptionRow[];
  /** Format without `--output`; text unless given. */
  readonly output?: 'text' | 'json';
  readonly load: () => Promise<CommandBody>;
}

/** A word that groups other commands below it. */
export interface GroupRow {
  readonly path: string;
  readonly doc: string;
  readonly aliases?: readonly string[];
}

export interface CommandTable {
  readonly groups: readonly GroupRow[];
  readonly commands: readonly CommandRow[];
}
