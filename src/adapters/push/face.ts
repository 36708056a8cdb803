/** The interface between faces and the push engine: subscribe requests, encodings and final frames. */
import type {
  RequestedCriteria,
  Criteria,
  Cursor,
  PushFace,
  PushItem,
  SubscriptionRefusal,
} from '../../core/subscriptions/index.js';
import type { Height } from '../../core/primitives.js';
import type { DeliverySocket } from './pump.js';

export interface PushSocket extends DeliverySocket {
  /** Sends buffered data, then a close frame. */
  end(code: number, reason: string): void;
}

/** Encodes the notifications of a face. */
export interface PushEncoding {
  readonly face: PushFace;
  /** The form for a subscription, a number. Each form of an item is encoded once for all subscribers. */
  formOf(criteria: Criteria): number;
  /**
   * Encodes the part of a frame after the prefix. `cursor`: where a client resumes after this item; undefined for
   * clients without cursors.
   */
  body(item: PushItem, form: number, cursor: string | undefined): string;
}

/** Where a subscription begins: now, after a cursor, or at a block. */
export type PushStart =
  | { readonly kind: 'now' }
  | { readonly kind: 'cursor'; readonly cursor: Cursor }
  | { readonly kind: 'height'; readonly height: Height };

export interface PushRequest {
  readonly criteria: RequestedCriteria;
  readonly start: PushStart;
  /** True if notifications carry cursors. */
  readonly cursors: boolean;
  /** The first part of each frame, which depends on the subscription. */
  readonly prefix: (criteria: Criteria) => string;
  /** The final frame of a subscription; without it the whole connection is closed. */
  readonly finalFrame?: (reason: string) => string;
}

/** A registered subscription; it receives nothing before `activate`. */
export interface PushSubscription {
  readonly criteria: Criteria;
  /**
   * Starts delivery with everything since the registration. Call it in the same turn in which the response is handed
   * to the socket.
   */
  activate(): void;
  /** Ends the subscription: nothing more is sent. False if it had already ended. */
  end(): boolean;
}

export type PushAnswer =
  | { readonly ok: true; readonly subscription: PushSubscription }
  | { readonly ok: false; readonly refusal: SubscriptionRefusal };
