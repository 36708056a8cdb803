/**
 * The seam between `eth_subscribe`, `eth_unsubscribe` and delivery. The session owns requests and answers; delivery
 * owns matching and the pump. Both write to the same socket, in one thread, so that the order of `send` calls is the
 * order of frames.
 *
 * Nothing of a subscription is sent before its `activate` ran, and the session runs `activate` in the same turn in
 * which it hands the answer with the id to the socket (for a batch: the answer of the whole batch). Events from the
 * moment of `subscribe` on belong to the subscription. Where the answer never leaves (a notification, no room in the
 * batch), `unsubscribe` is called instead of `activate`. Once `unsubscribe` returned, nothing of that id is sent any
 * more; its answer follows later.
 */
import type { Criteria } from '../../../core/subscriptions/index.js';
import type { CutOff, PushSocket, PushStart } from '../../push/index.js';
import type { RpcError } from '../errors.js';

/** A request whose parameters were checked. */
export interface SubscriptionRequest {
  readonly criteria: Criteria;
  readonly start: PushStart;
  /** Notifications carry cursors. */
  readonly cursors: boolean;
}

export type Subscribed =
  /** `id`: a quantity of up to 16 random bytes with `0x` and without leading zeros. */
  { readonly ok: true; readonly id: string; activate(): void } | { readonly ok: false; readonly error: RpcError };

/** The subscriptions of one websocket. */
export interface ConnectionSubscriptions {
  /** Answers later where a cursor must be looked up in the log, or while the registry is restarted. */
  subscribe(request: SubscriptionRequest): Subscribed | Promise<Subscribed>;
  /** false for an id that this connection does not have. */
  unsubscribe(id: string): boolean;
  /** The socket's buffer is empty again. */
  drained(): void;
  /** Ends the socket with a reason. */
  end(cutOff: CutOff): void;
  /** The client took nothing for the transport's stall time: ends the socket with a reason. */
  stalled(): void;
  /** The socket closed, for whatever reason: called exactly once. */
  closed(): void;
}

export interface EthereumSubscriptions {
  connect(socket: PushSocket): ConnectionSubscriptions;
}
