import type { Position } from '../../core/primitives.js';
import type { Lane, Subscription } from '../../core/subscriptions/index.js';
import type { BodyForm } from './bodies.js';
import type { DeliveryTarget, Outlet } from './pump.js';

/** One subscription of one connection, as delivery sees it. */
export interface Delivery extends DeliveryTarget, BodyForm {
  readonly subscription: Subscription;
  readonly lane: Lane;
  readonly outlet: Outlet;
  /** Notifications that were made for it, and the position of the newest one. */
  made: number;
  newest: Position | undefined;
  readonly lastWords: ((reason: string) => string) | undefined;
  /** It receives what is shown only while it is live; what comes before is read from the log. */
  state: 'waiting' | 'replaying' | 'live';
  /**
   * Inputs that were shown up to here are not delivered live: they came before the subscription, or were read from the
   * log.
   */
  since: Position;
  /** The connection ends: a notification could not be made. */
  readonly defect: () => void;
  /** Number of its connection. */
  readonly client: number;
  /** Bytes that wait for its connection. */
  readonly waiting: () => number;
  /** Ends it, or its whole connection where its face has no last words, with a reason. */
  readonly cut: (reason: string) => void;
}
