import type { Clock, Timers } from '../core/ports/time.js';

/** What the faces need of the host. */
export interface FacesHost {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onDefect: (error: unknown) => void;
}
