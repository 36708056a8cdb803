import { FIXED_LIMITS } from '../limits/limits.js';

const SIGNS = /^[\w$]+$/;

/**
 * True for a name of at most `identifierCharacters` that consists of characters of Solidity identifiers
 * (docs.soliditylang.org, "Language Grammar"); a leading digit is allowed. Files and clients may provide arbitrary
 * names, and only these are shown.
 */
export function isIdentifier(name: unknown): name is string {
  return typeof name === 'string' && name.length <= FIXED_LIMITS.identifierCharacters && SIGNS.test(name);
}
