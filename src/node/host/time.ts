import { toTimeNs } from '../../core/primitives.js';
import type { Clock, Timers } from '../../core/ports/time.js';

/** Wall clock with the resolution of the monotonic clock, which never runs backwards while the process lives. */
export function createHostClock(): Clock {
  const offset = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();
  return { now: () => toTimeNs(offset + process.hrtime.bigint()) };
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
