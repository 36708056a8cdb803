import { EMPTY } from '../bytes/bytes.js';
import { toOrderedString } from '../bytes/key-order.js';
import { KnownTexts } from '../bytes/known-text.js';
import { FIXED_LIMITS } from '../limits/limits.js';

/** A transaction reads and writes a key several times, and makes it anew each time. */
const names = new KnownTexts(FIXED_LIMITS.knownKeyNames);
let lastKey: Uint8Array = EMPTY;
let lastName = '';

/**
 * A key of the state as a map key whose `<` order is the byte order. The name of the last key is kept: a read passes
 * the same array through all layers of the state, and an array that is a key is never changed.
 */
export function keyName(key: Uint8Array): string {
  if (key !== lastKey)
    rememberName(key, key.length <= FIXED_LIMITS.knownKeyBytes ? names.of(key, 0, key.length) : toOrderedString(key));
  return lastName;
}

/** Tells the name of a key, which the caller knows. */
export function rememberName(key: Uint8Array, name: string): void {
  lastKey = key;
  lastName = name;
}
