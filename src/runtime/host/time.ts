import { NS_PER_MS, toTimeNs } from '../../core/primitives.js';
import type { Clock, Timers } from '../../core/ports/time.js';

/** Wall clock and monotonic clock. */
export interface SystemClocks {
  /** Milliseconds since 1970; may be set by the user or a time server. */
  readonly wallMs: () => number;
  /** Monotonic nanoseconds from an arbitrary start; on Linux they stop while the machine is suspended. */
  readonly monotonicNs: () => bigint;
}

const SYSTEM: SystemClocks = { wallMs: Date.now, monotonicNs: () => process.hrtime.bigint() };

/** A larger deviation of the two clocks is a suspend or a clock step, not a reading inaccuracy; nanoseconds. */
const STEP_NS = 1_000_000_000n;

/**
 * Wall clock with the resolution of the monotonic clock. Follows the wall clock when they deviate by a second or more,
 * for example after a suspend or a clock step in either direction.
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

/**
 * A clock that starts at the wall clock's time and then follows the monotonic clock, as timers do, regardless of clock
 * steps.
 */
export function createTimerClock({ wallMs, monotonicNs }: SystemClocks = SYSTEM): Clock {
  const offset = BigInt(wallMs()) * NS_PER_MS - monotonicNs();
  return { now: () => toTimeNs(offset + monotonicNs()) };
}

/** Creates timers of the event loop; `yield` lets sockets and other work run. */
export function createHostTimers(): Timers {
  return {
    after(milliseconds, run) {
      // `setTimeout(0)` waits at least 1 ms; here the next turn of the event loop is enough.
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
