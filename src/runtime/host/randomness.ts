import { randomBytes } from 'node:crypto';
import type { Randomness } from '../../core/ports/time.js';

/** Creates the operating system's random source. */
export function createHostRandomness(): Randomness {
  return { bytes: (length) => new Uint8Array(randomBytes(length)) };
}
