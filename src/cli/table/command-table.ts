import type { CommandContext } from '../context.js';
import type { Flags } from './flags.js';

/** The implementation of a command. */
export type CommandBody = (context: CommandContext, args: readonly string[], flags: Flags) => Promise<void> | void;

/** One option of a command, in commander's syntax. */
export interface OptionRow {
  readonly flag: string;
  readonly doc: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  readonly required?: boolean;
}

/** Sets of options that many commands share (`option-sets.ts`). */
export type OptionSet = 'prefix' | 'output' | 'node' | 'height' | 'page' | 'keyring' | 'tx' | 'eth';

/** One command. Program, help and shell completions are generated from these rows. */
export interface CommandRow {
  /** The words of the command, for example `query bank balances`. */
  readonly path: string;
  /** Arguments in commander's syntax, for example `<address> [denom]`. */
  readonly args?: string;
  readonly doc: string;
  readonly aliases?: readonly string[];
  readonly sets: readonly OptionSet[];
  readonly options?: readonly OptionRow[];
  /** Default of `--output`; text if omitted. */
  readonly output?: 'text' | 'json';
  readonly run: CommandBody;
}

/** A group of commands, such as `query bank`; the path of the program itself is empty. */
export interface Topic {
  readonly path: string;
  readonly doc: string;
  readonly aliases: readonly string[];
  /** The files with the commands directly below the topic. */
  readonly files: readonly CommandFile[];
}

/** Loads a file of command rows. */
export type CommandFile = () => Promise<{ readonly commands: readonly CommandRow[] }>;
