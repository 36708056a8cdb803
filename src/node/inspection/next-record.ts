import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { Timers } from '../../core/ports/time.js';
import { toPosition, type Position } from '../../core/primitives.js';

/** Lets requests wait for the next log record. */
export interface NextRecord {
  /**
   * Resolves when a record after `position` was published, or after the time limit; fails with `busy` if too many
   * wait.
   */
  after(position: Position, milliseconds: number): Promise<Outcome<undefined>>;
  /** The node stops: resolves all waiting requests. */
  stop(): void;
}

/** Creates the wait. `reached` resolves when everything up to a position was published. */
export function createNextRecord(
  reached: (position: Position) => Promise<void>,
  timers: Pick<Timers, 'after'>,
): NextRecord {
  const waiting = new Set<() => void>();
  /** Requests for one position share a promise, because the streams hold it until the position is reached. */
  let coming: { readonly position: Position; readonly promise: Promise<void> } | undefined;
  return {
    after(position, milliseconds) {
      if (waiting.size >= FIXED_LIMITS.logWaiting)
        return Promise.resolve({ ok: false, error: { code: 'busy', what: 'waiting for events' } });
      const wanted = toPosition(position + 1n);
      if (coming?.position !== wanted) coming = { position: wanted, promise: reached(wanted) };
      const { promise } = coming;
      return new Promise((resolve) => {
        let cancel = (): void => undefined;
        const done = (): void => {
          if (!waiting.delete(done)) return;
          cancel();
          resolve({ ok: true, value: undefined });
        };
        waiting.add(done);
        cancel = timers.after(milliseconds, done);
        void promise.then(done);
      });
    },
    stop() {
      for (const done of [...waiting]) done();
    },
  };
}
