/** Ports between parts of the push engine: the node's history, the registry's actor, the adapters' delivery. */
import type { Position } from '../primitives.js';
import type { Cursor } from './cursor.js';
import type { Client, InputKind, Subscription } from './criteria.js';
import type { Match } from './matching.js';
import type { PushInput, ReplayStart } from './push-input.js';
import type { RequestedCriteria, CursorRefusal, SubscribeDecision } from './table.js';

/** Source of published inputs. */
export interface PushSource {
  /**
   * Calls `listener` for every input from now on, in order, once all faces can read it. Returns a function that
   * unsubscribes.
   */
  listen(listener: (input: PushInput) => void): () => void;
  /** Position of the last input passed to listeners. */
  shown(kind: InputKind): Position;
  /** Position of the last published record, even if it made no input: no cursor may be higher. */
  head(): Position;
}

/** Earlier inputs, read from the log for a replay. */
export interface PushHistory {
  /** Inputs of a kind in order, up to the current head; may leave out those that no subscription can match. */
  read(kind: InputKind, start: ReplayStart): AsyncIterable<PushInput>;
  /**
   * Checks that all records after a cursor can be delivered. The caller has checked that the cursor is not ahead of
   * the last published record.
   */
  judge(cursor: Cursor): CursorRefusal | undefined | Promise<CursorRefusal | undefined>;
}

/** Notifications of one input with their subscriptions. */
export interface Matches {
  readonly kind: InputKind;
  readonly position: Position;
  readonly matches: readonly Match[];
}

/** Delivers matched notifications, and keeps the subscriptions while the registry restarts. */
export interface Deliverer {
  /** Called once for each input that at least one subscription receives, in order. Must not throw. */
  deliver(matches: Matches): void;
  /** All open subscriptions. */
  held(): Iterable<Subscription>;
}

export interface SubscriptionRegistry {
  /** Sets the node's only deliverer. Returns a function that detaches it. */
  attach(deliverer: Deliverer): () => void;
  /**
   * Subscribes under the limits of the client's face. Returns synchronously, except while the registry delivers an
   * input or restarts: then the command waits in a bounded inbox. An error subscribes nothing.
   */
  subscribe(client: Client, requested: RequestedCriteria): SubscribeDecision | Promise<SubscribeDecision>;
  /** Removes subscriptions; ignores unknown ones. */
  forget(subscriptions: readonly Subscription[]): void;
  /** Position of the last input that was delivered, or that no subscription matched. */
  shown(kind: InputKind): Position;
}

/** Everything that a push face needs of the node. */
export interface NodeSubscriptions {
  readonly registry: SubscriptionRegistry;
  readonly history: PushHistory;
  /** Position of the newest record that the node published; the registry may lag behind while it restarts. */
  readonly source: Pick<PushSource, 'head'>;
}
