/**
 * The interface between `eth_subscribe`, `eth_unsubscribe` and delivery. The session handles requests and responses;
 * delivery handles matching and notifications. Both write to the same socket in one thread, so the order of `send`
 * calls is the order of frames.
 *
 * A subscription includes events from the call of `subscribe` on, but sends nothing before `activate`. The session
 * calls `activate` in the same turn in which it hands the response with the id (or the whole batch response) to the
 * socket. If the response is never sent (a notification, or a batch above its limit), it calls `unsubscribe` instead.
 * After `unsubscribe` returns, nothing is sent for that id; the unsubscribe response follows.
 */
import type { Criteria } from '../../../core/subscriptions/index.js';
import type { CutOff, PushSocket, PushStart } from '../../push/index.js';
import type { RpcError } from '../errors.js';

/** A validated subscribe request. */
export interface SubscriptionRequest {
  readonly criteria: Criteria;
  readonly start: PushStart;
  /** True if notifications carry cursors. */
  readonly cursors: boolean;
}

export type Subscribed =
  /** `id`: 16 random bytes as a quantity. */
  { readonly ok: true; readonly id: string; activate(): void } | { readonly ok: false; readonly error: RpcError };

/** The subscriptions of one websocket. */
export interface ConnectionSubscriptions {
  /** Subscribes. The result is a promise if a cursor must be looked up in the log, or while the registry restarts. */
  subscribe(request: SubscriptionRequest): Subscribed | Promise<Subscribed>;
  /** Unsubscribes; false for an unknown id. */
  unsubscribe(id: string): boolean;
  /** Called when the socket's send buffer is empty again. */
  drained(): void;
  /** Closes the socket with a reason. */
  end(cutOff: CutOff): void;
  /** Called when the client has read nothing for the stall timeout: closes the socket with a reason. */
  stalled(): void;
  /** Called exactly once, when the socket has closed. */
  closed(): void;
}

export interface EthereumSubscriptions {
  connect(socket: PushSocket): ConnectionSubscriptions;
}
