import type { Timers } from '../../core/ports/time.js';

/** The clock that xstate asks for its delayed transitions, over the timers of the host. */
export interface ActorClock {
  setTimeout(run: (...values: unknown[]) => void, milliseconds: number): () => void;
  clearTimeout(cancel: () => void): void;
}

/** Delayed transitions of actors follow the host's timers, which are virtual in simulations. */
export function actorClock(timers: Timers): ActorClock {
  return {
    setTimeout: (run, milliseconds) => timers.after(milliseconds, run),
    clearTimeout: (cancel) => cancel(),
  };
}
