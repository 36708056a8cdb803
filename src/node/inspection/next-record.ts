import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { Timers } from '../../core/ports/time.js';
import { toPosition, type Position } from '../../core/primitives.js';

/** Requests that wait for what the log does not hold yet. */
export interface NextRecord {
  /** Resolves when a record after `position` was shown, or after the time; `busy` where too many wait. */
  after(position: Position, milliseconds: number): Promise<Outcome<undefined>>;
  /** The node stops: nobody waits any more. */
  stop(): void;
}

/** Waits for records. `reached` resolves when everything up to a position was shown. */
export function createNextRecord(
  reached: (position: Position) => Promise<void>,
  timers: Pick<Timers, 'after'>,
): NextRecord {
  const waiting = new Set<() => void>();
  /** One promise for all who wait for the same position: the streams keep it until then. */
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
