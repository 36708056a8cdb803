import { CommandError, EXIT } from './exit-codes.js';

/** A whole number that an option must hold. */
export function wholeNumber(text: string, what: string): bigint {
  if (!/^[0-9]{1,19}$/.test(text))
    throw new CommandError(EXIT.usage, `${what}: ${JSON.stringify(text)} is not a whole number`);
  return BigInt(text);
}
