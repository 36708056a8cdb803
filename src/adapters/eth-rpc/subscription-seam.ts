/**
 * How `eth_subscribe` and `eth_unsubscribe` meet delivery. The session owns requests and answers; whoever implements
 * `SubscriptionHub` owns the registry, matching and the pump. Both write to the same socket, in one thread, so that the
 * order of `send` calls is the order of frames.
 *
 * Order (design section 7): nothing of a subscription is sent before its `activate` ran, and the session runs `activate`
 * in the same turn in which it hands the answer with the id to the socket (for a batch: the answer of the whole batch).
 * Events from the moment of `subscribe` on belong to the subscription. Where the answer never leaves (a notification, no
 * room in the batch), `unsubscribe` is called instead of `activate`. Once `unsubscribe` returned, nothing of that id is
 * sent any more; its answer follows later.
 */
import type { LogCriteria } from '../../core/ethereum/api.js';
import type { Height } from '../../core/primitives.js';
import type { Cursor } from '../../core/subscriptions/index.js';
import type { RpcError } from './errors.js';

/** The part of the transport's socket that delivery uses; all calls do nothing after the socket closed. */
export interface SubscriberSocket {
  send(text: string): 'sent' | 'buffered' | 'dropped';
  /** Bytes accepted that the kernel has not taken yet; answers of calls count too. */
  bufferedBytes(): number;
  cork(run: () => void): void;
  end(code: number, reason: string): void;
}

interface Start {
  /** Resume: everything after it, then live. Excludes `fromBlock`. */
  readonly cursor: Cursor | undefined;
}

/** A request whose parameters were checked. `fromBlock` (our extension, ethereum-json-rpc.md 3.6): replay from that block, then live. */
export type SubscriptionRequest =
  | ({ readonly kind: 'newHeads'; readonly fromBlock: Height | undefined } & Start)
  /** `criteria.fromBlock` and `toBlock` are numbers; undefined means from now on, without end. */
  | ({ readonly kind: 'logs'; readonly criteria: LogCriteria } & Start)
  | ({ readonly kind: 'newPendingTransactions'; readonly fullTransactions: boolean } & Start)
  | { readonly kind: 'syncing' };

export type Subscribed =
  /** `id`: a quantity of up to 16 random bytes with `0x` and without leading zeros. */
  { readonly ok: true; readonly id: string; activate(): void } | { readonly ok: false; readonly error: RpcError };

/** The subscriptions of one websocket. */
export interface ConnectionSubscriptions {
  subscribe(request: SubscriptionRequest): Subscribed;
  /** false for an id that this connection does not have. */
  unsubscribe(id: string): boolean;
  /** The socket's buffer is empty again. */
  drained(): void;
  /** The client took nothing for the transport's stall time: ends the socket with a reason. */
  stalled?(): void;
  /** The socket closed, for whatever reason: called exactly once. */
  closed(): void;
}

export interface SubscriptionHub {
  connect(socket: SubscriberSocket): ConnectionSubscriptions;
}
