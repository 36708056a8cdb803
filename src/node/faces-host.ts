import type { OpenFiles, TransportChoice } from '../adapters/transport/index.js';
import type { RefusedSend } from '../core/activity/refused-send.js';
import type { Clock, Timers } from '../core/ports/time.js';

/** The host services that the faces need. */
export interface FacesHost {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Undefined where the system does not say. */
  readonly openFiles: () => OpenFiles | undefined;
  readonly onDefect: (error: unknown) => void;
  /** A client called a method that the face does not have. */
  readonly onUnknownMethod?: ((face: string, method: string) => void) | undefined;
  /** A client sent an Ethereum transaction that was refused. */
  readonly onRefusedSend?: ((refused: RefusedSend) => void) | undefined;
  /** A page of this origin was refused; empty when its browser names none. Called once for each origin. */
  readonly onForeignPage: (origin: string) => void;
  /** The library of the HTTP servers. An installed package loads its own; a checkout has the package itself. */
  readonly transport: TransportChoice;
}
