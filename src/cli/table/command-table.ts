import type { CommandContext } from '../context.js';
import type { Flags } from './flags.js';

/** The implementation of a command. */
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
export type OptionSet = 'prefix' | 'output' | 'node' | 'height' | 'page' | 'keyring' | 'tx' | 'eth';

/** One command. The program, its help and the shell completions are all made from these rows. */
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
  readonly run: CommandBody;
}

/** Words that group commands below them; the words of the program itself are empty. */
export interface Topic {
  readonly path: string;
  readonly doc: string;
  readonly aliases: readonly string[];
  /** The files with the commands directly below it. */
  readonly files: readonly CommandFile[];
}

/** Loads commands, which are rows with their bodies. */
export type CommandFile = () => Promise<{ readonly commands: readonly CommandRow[] }>;
