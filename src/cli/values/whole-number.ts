import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

/** Parses an option's whole number. Throws a usage error for any other text. */
export function wholeNumber(text: string, what: string): bigint {
  if (!/^[0-9]{1,19}$/.test(text))
    throw new CommandError(EXIT.usage, `${what}: ${JSON.stringify(text)} is not a whole number`);
  return BigInt(text);
}
