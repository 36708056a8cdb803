import { FIXED_LIMITS } from '../limits/limits.js';

const SIGNS = /^[\w$]+$/;

/**
 * True for a name of at most `identifierCharacters`, all of them signs of Solidity's identifiers
 * (docs.soliditylang.org, "Language Grammar"), a digit at the beginning included. Files and clients may give any text
 * as a name; only such a one is shown.
 */
export function isIdentifier(name: unknown): name is string {
  return typeof name === 'string' && name.length <= FIXED_LIMITS.identifierCharacters && SIGNS.test(name);
}
