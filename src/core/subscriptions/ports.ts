/** The ports between the parts of the push engine: the node's history, the registry's actor, the adapters' delivery. */
import type { Position } from '../primitives.js';
import type { Cursor } from './cursor.js';
import type { Client, Lane, Subscription } from './criteria.js';
import type { Match } from './matching.js';
import type { PushInput, ReplayStart } from './push-input.js';
import type { RequestedCriteria, CursorRefusal, SubscribeDecision } from './table.js';

/** The source that tells the registry of shown records. */
export interface PushSource {
  /**
   * Calls `listener` for every input from now on, in order, once it can be read on every face. Returns how to leave.
   */
  listen(listener: (input: PushInput) => void): () => void;
  /** Position of the last input that listeners were called with. */
  shown(lane: Lane): Position;
  /** Position of the last record that was shown, whether an input was made of it or not: no cursor is higher. */
  head(): Position;
}

/** The inputs that were shown before: the log behind a replay. */
export interface PushHistory {
  /** Inputs of a lane in order, up to the head of the moment; those that no subscription can want may be left out. */
  read(lane: Lane, start: ReplayStart): AsyncIterable<PushInput>;
  /**
   * Checks that all records after a cursor can be delivered. A cursor is at most at the last record that was shown.
   */
  judge(cursor: Cursor): CursorRefusal | undefined | Promise<CursorRefusal | undefined>;
}

/** The notifications that the registry has matched of one input. */
export interface Matches {
  readonly lane: Lane;
  readonly position: Position;
  readonly matches: readonly Match[];
}

/**
 * Delivers the notifications that the registry matches, and keeps the subscriptions while the registry is restarted.
 */
export interface Deliverer {
  /** Called once for each input that at least one subscription receives, in order. Must not throw. */
  deliver(matches: Matches): void;
  /** Every subscription that is open. */
  held(): Iterable<Subscription>;
}

export interface SubscriptionRegistry {
  /** The one deliverer of the node. Returns how to leave. */
  attach(deliverer: Deliverer): () => void;
  /**
   * Registers criteria under the limits of the client's face. Answers at once, except while the registry hands out an
   * input or is restarted: then the command waits in a bounded inbox. A refusal subscribes nothing.
   */
  subscribe(client: Client, requested: RequestedCriteria): SubscribeDecision | Promise<SubscribeDecision>;
  /** Removes subscriptions; unknown ones are passed over. */
  forget(subscriptions: readonly Subscription[]): void;
  /** Position of the last input that was handed to the deliverer, or that no subscription received. */
  shown(lane: Lane): Position;
}

/** All that a push face needs of the node. */
export interface NodeSubscriptions {
  readonly registry: SubscriptionRegistry;
  readonly history: PushHistory;
  /** The newest record that the node has shown; the registry may be behind while it is restarted. */
  readonly source: Pick<PushSource, 'head'>;
}
