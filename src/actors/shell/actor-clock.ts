import type { Timers } from '../../core/ports/time.js';

/** Clock interface of xstate, for delayed transitions. */
export interface ActorClock {
  setTimeout(run: (...values: unknown[]) => void, milliseconds: number): () => void;
  clearTimeout(cancel: () => void): void;
}

/** Adapts the host's timers (virtual in simulations) for xstate. */
export function actorClock(timers: Timers): ActorClock {
  return {
    setTimeout: (run, milliseconds) => timers.after(milliseconds, run),
    clearTimeout: (cancel) => cancel(),
  };
}
