import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { wholeNumber } from '../values/whole-number.js';

/** Options of one command as typed, by their long name. */
export class Flags {
  constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    private readonly typed: ReadonlySet<string> = new Set(),
  ) {}

  /** True for an option that the command line has, not one that is as its default. */
  isTyped(name: string): boolean {
    return this.typed.has(name);
  }

  /** Text of an option; undefined when it was not given and has no default. */
  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** Text of a required option; a usage error when it was not given. */
  needed(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw new CommandError(EXIT.usage, `--${name} is needed here`);
    return value;
  }

  /** True when the switch was given, with or without a value other than false. */
  is(name: string): boolean {
    const value = this.values[name];
    return value !== undefined && value !== false && value !== 'false';
  }

  whole(name: string): bigint | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : wholeNumber(value, `--${name}`);
  }
}
