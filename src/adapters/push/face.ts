/**
 * The parts that a face brings to the push engine: its criteria and where they begin, its encoding and its last words.
 */
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
  /** Sends what is buffered, then a close frame. */
  end(code: number, reason: string): void;
}

/** The forms in which a face writes notifications. */
export interface PushEncoding {
  readonly face: PushFace;
  /** The form of an item that a subscription receives. Each form is encoded once for all subscribers. */
  formOf(criteria: Criteria): number;
  /**
   * The text after the prefix of a subscription. `cursor`: where a client resumes after this item, for clients that
   * request cursors.
   */
  body(item: PushItem, form: number, cursor: string | undefined): string;
}

/** The beginning of a subscription: with what is shown after its registration, after a cursor, or with a block. */
export type PushStart =
  | { readonly kind: 'now' }
  | { readonly kind: 'cursor'; readonly cursor: Cursor }
  | { readonly kind: 'height'; readonly height: Height };

export interface PushRequest {
  readonly criteria: RequestedCriteria;
  readonly start: PushStart;
  /** Notifications carry cursors. */
  readonly cursors: boolean;
  /** The text before every body: all that differs between the subscribers of one item. */
  readonly prefix: (criteria: Criteria) => string;
  /** The frame that ends one subscription with a reason; without it the whole connection ends. */
  readonly lastWords?: (reason: string) => string;
}

/** A subscription that counts, and receives nothing before `activate`. */
export interface PushSubscription {
  readonly criteria: Criteria;
  /**
   * Begins delivery with everything since the registration. Call it in the turn in which the answer was handed to the
   * socket.
   */
  activate(): void;
  /** Nothing of it is sent any more. False when it had ended already. */
  end(): boolean;
}

export type PushAnswer =
  | { readonly ok: true; readonly subscription: PushSubscription }
  | { readonly ok: false; readonly refusal: SubscriptionRefusal };
