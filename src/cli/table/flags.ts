import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { wholeNumber } from '../values/whole-number.js';

/** The option values of one command, by long name. */
export class Flags {
  constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    private readonly typed: ReadonlySet<string>,
  ) {}

  /** True if the option was typed, also with its default value. */
  isTyped(name: string): boolean {
    return this.typed.has(name);
  }

  /** Text of an option; undefined if it was not given and has no default. */
  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** Text of a required option. Throws a usage error if it was not given. */
  needed(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw new CommandError(EXIT.usage, `--${name} is needed here`);
    return value;
  }

  /** True if a boolean option was given, without a value or with one other than false. */
  is(name: string): boolean {
    const value = this.values[name];
    return value !== undefined && value !== false && value !== 'false';
  }

  whole(name: string): bigint | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : wholeNumber(value, `--${name}`);
  }
}
