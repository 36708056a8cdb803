import { hash } from 'node:crypto';
import type { Clock, Randomness } from '../../core/ports/time.js';
import { NS_PER_SECOND, toTimeNs } from '../../core/primitives.js';

/** Start of virtual time: fixed, so that two runs agree. */
const START_NS = 1_767_225_600_000_000_000n;

/** The clock of `--deterministic`; it advances only by `tick`, one second per block. */
export function createVirtualClock(): Clock & { readonly tick: () => void } {
  let now = START_NS;
  return {
    now: () => toTimeNs(now),
    tick: () => {
      now += NS_PER_SECOND;
    },
  };
}

/**
 * Pseudo-random bytes determined by the seed and the number of bytes drawn before. Keys derived from them are not
 * secret.
 */
export function createSeededRandomness(seed: string): Randomness {
  let draws = 0;
  return {
    bytes(length) {
      const blocks: Uint8Array[] = [];
      for (let made = 0; made < length; made += 32) {
        blocks.push(hash('sha256', `${seed}/${draws}`, 'buffer'));
        draws += 1;
      }
      return new Uint8Array(Buffer.concat(blocks).subarray(0, length));
    },
  };
}
