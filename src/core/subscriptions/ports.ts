/** What a push face needs from the subscription registry. The actor implements it, node wires it to adapters. */
import type { ConsensusEvent } from '../websocket-events.js';
import type { CommitEvents } from '../node-api.js';
import type { Position } from '../primitives.js';
import type { Query } from '../query/index.js';

/** One subscription of one client; `order` grows with creation over the whole node. */
export interface Subscription {
  readonly client: number;
  readonly order: number;
  readonly query: Query;
}

/** One event for one subscription. */
export interface Delivery {
  readonly subscription: Subscription;
  readonly event: ConsensusEvent;
  /** Where a client that has seen this event resumes; undefined for events that no log record holds yet. */
  readonly cursor: string | undefined;
}

/** Refusals in CometBFT's words (cometbft-rpc.md 3.2). */
export type SubscriptionResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

export interface RegistryClient {
  /** Registers a query. With `paused` it counts but receives nothing until `activate`. */
  subscribe(text: string, options: { readonly paused: boolean }): SubscriptionResult<Subscription>;
  /** From the next commit on, a paused subscription receives events. False when it is gone. */
  activate(subscription: Subscription): boolean;
  unsubscribe(text: string): SubscriptionResult<Subscription>;
  unsubscribeAll(): SubscriptionResult<readonly Subscription[]>;
  /** Removes all subscriptions of the client, which receives nothing any more. Harmless when repeated. */
  disconnect(reason: 'closed' | 'slow client'): void;
}

export interface SubscriptionRegistry {
  /** `deliver` is called once per commit that concerns the client, events in log order, ties by creation of subscriptions. */
  connect(deliver: (deliveries: readonly Delivery[]) => void): RegistryClient;
  /** Position of the last commit that was delivered. */
  position(): Position;
}

/** Yields what has been published after `from`, in log order, and ends at the head; commits without events may be left out. */
export type Replay = (from: Position) => AsyncIterable<CommitEvents>;
