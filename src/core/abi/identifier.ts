import { FIXED_LIMITS } from '../limits.js';

const SIGNS = /^[\w$]+$/;

/**
 * True for an identifier of Solidity (docs.soliditylang.org, "Language Grammar") with at most `identifierCharacters`.
 * Files and clients may give any text as a name; only such a one is shown.
 */
export function isIdentifier(name: unknown): name is string {
  return typeof name === 'string' && name.length <= FIXED_LIMITS.identifierCharacters && SIGNS.test(name);
}
