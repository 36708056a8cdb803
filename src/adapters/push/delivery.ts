import type { Position } from '../../core/primitives.js';
import type { InputKind, Subscription } from '../../core/subscriptions/index.js';
import type { BodyForm } from './bodies.js';
import type { DeliveryTarget, SocketWriter } from './pump.js';

/** The delivery state of one subscription. */
export interface Delivery extends DeliveryTarget, BodyForm {
  readonly subscription: Subscription;
  readonly inputKind: InputKind;
  readonly writer: SocketWriter;
  /** Number of notifications created for it, and the position of the newest one. */
  made: number;
  newest: Position | undefined;
  readonly finalFrame: ((reason: string) => string) | undefined;
  /** New inputs are delivered only in state `live`; earlier ones are replayed from the log. */
  state: 'waiting' | 'replaying' | 'live';
  /** Inputs up to this position are not delivered live: they precede the subscription or were replayed. */
  since: Position;
  /** Ends the connection, because a notification could not be encoded. */
  readonly defect: () => void;
  /** Id of its connection. */
  readonly client: number;
  /** Bytes queued for its connection. */
  readonly waiting: () => number;
  /** Ends the subscription with a reason, or the whole connection if the face has no final frame. */
  readonly cut: (reason: string) => void;
}
