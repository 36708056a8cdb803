/**
 * Equality of byte arrays for `toEqual` and its kin. Without it vitest compares them by iteration, and again by their
 * keys as texts, which is a thousand times as slow.
 */
import { expect } from 'vitest';

/** Whether two byte arrays of one class are equal; undefined for all else, which vitest compares by itself. */
function equalBytes(a: unknown, b: unknown): boolean | undefined {
  if (!(a instanceof Uint8Array) || !(b instanceof Uint8Array) || a.constructor !== b.constructor) return undefined;
  return Buffer.compare(a, b) === 0;
}

// Once in a worker: files share this module.
expect.addEqualityTesters([equalBytes]);
