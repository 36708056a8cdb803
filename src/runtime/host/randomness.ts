import { randomBytes } from 'node:crypto';
import type { Randomness } from '../../core/ports/time.js';

/** Randomness of the operating system. */
export function createHostRandomness(): Randomness {
  return { bytes: (length) => new Uint8Array(randomBytes(length)) };
}
