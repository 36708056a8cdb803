import type { Clock } from '../../core/ports/time.js';
import { toTimeNs } from '../../core/primitives.js';

/** Start of virtual time: a fixed moment, so that two runs agree (design section 9). */
const START_NS = 1_767_225_600_000_000_000n;
const SECOND_NS = 1_000_000_000n;

/** A clock for `--deterministic`: each reading is one second after the one before it. */
export function createDeterministicClock(): Clock {
  let now = START_NS;
  return {
    now() {
      now += SECOND_NS;
      return toTimeNs(now);
    },
  };
}
