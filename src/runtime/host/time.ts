import { NS_PER_MS, toTimeNs } from '../../core/primitives.js';
import type { Clock, Timers } from '../../core/ports/time.js';

/** The two clocks of the system. */
export interface SystemClocks {
  /** Milliseconds since 1970, which the user or a time server may set. */
  readonly wallMs: () => number;
  /** Nanoseconds since some moment. They pass evenly; on Linux they stand still while the machine is suspended. */
  readonly monotonicNs: () => bigint;
}

const SYSTEM: SystemClocks = { wallMs: Date.now, monotonicNs: () => process.hrtime.bigint() };

/** Difference of the wall clock that is a suspend or a step, and no inaccuracy of two readings, nanoseconds. */
const STEP_NS = 1_000_000_000n;

/**
 * Time of the machine: the wall clock with the resolution of the monotonic clock. It follows the wall clock where the
 * two differ by a second or more, as after a suspend of the machine, and a step forwards or backwards.
 */
export function createHostClock({ wallMs, monotonicNs }: SystemClocks = SYSTEM): Clock {
  let offset = BigInt(wallMs()) * NS_PER_MS - monotonicNs();
  return {
    now() {
      const now = offset + monotonicNs();
      const lead = BigInt(wallMs()) * NS_PER_MS - now;
      if (lead > -STEP_NS && lead < STEP_NS) return toTimeNs(now);
      offset += lead;
      return toTimeNs(now + lead);
    },
  };
}

/** Time that passes as the timers do, whatever happens to the wall clock, from which it has its beginning. */
export function createTimerClock({ wallMs, monotonicNs }: SystemClocks = SYSTEM): Clock {
  const offset = BigInt(wallMs()) * NS_PER_MS - monotonicNs();
  return { now: () => toTimeNs(offset + monotonicNs()) };
}

/** Timers of the event loop; `yield` lets sockets and other turns run. */
export function createHostTimers(): Timers {
  return {
    after(milliseconds, run) {
      // A timer of 0 waits for at least 1 ms; only a later turn of the event loop is needed here.
      if (milliseconds <= 0) {
        const turn = setImmediate(run);
        return () => clearImmediate(turn);
      }
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
    yield: () => new Promise((resolve) => setImmediate(resolve)),
  };
}
