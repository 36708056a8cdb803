import { EMPTY } from '../bytes/bytes.js';
import { toOrderedString } from '../bytes/key-order.js';
import { KnownTexts } from '../bytes/known-text.js';
import { FIXED_LIMITS } from '../limits/limits.js';

/** Cached because a transaction reads and writes a key several times, each time with a new array. */
const names = new KnownTexts(FIXED_LIMITS.knownKeyNames);
let lastKey: Uint8Array = EMPTY;
let lastName = '';

/**
 * Converts a state key to a map key whose `<` order is the byte order. Keeps the name of the last key, because a read
 * passes the same array through all layers of the state. Key arrays never change.
 */
export function keyName(key: Uint8Array): string {
  if (key !== lastKey)
    rememberName(key, key.length <= FIXED_LIMITS.knownKeyBytes ? names.of(key, 0, key.length) : toOrderedString(key));
  return lastName;
}

/** Records the name of a key, so that the next `keyName` need not compute it. */
export function rememberName(key: Uint8Array, name: string): void {
  lastKey = key;
  lastName = name;
}
