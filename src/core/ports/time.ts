import type { TimeNs } from '../primitives.js';

/** Wall-clock time of the host (or virtual time in simulations and `--deterministic`). */
export interface Clock {
  now(): TimeNs;
}

/**
 * One-shot timers, and yielding to the event loop. Returned functions cancel a timer; calling one twice is harmless.
 */
export interface Timers {
  after(milliseconds: number, run: () => void): () => void;
  /** Resolves on a later turn of the event loop; used between batches of work. */
  yield(): Promise<void>;
}

/** Randomness of the host; seeded in simulations. */
export interface Randomness {
  bytes(length: number): Uint8Array;
}
