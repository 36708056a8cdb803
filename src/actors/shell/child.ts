import type { AnyActorLogic } from 'xstate';
import type { Command, Inbox } from './inbox.js';

/**
 * Requests a stop: the actor reaches a final state at its next quiescent point (no block in flight, no poll in
 * progress). Every child of the supervisor handles this event.
 */
export interface StopRequested {
  readonly type: 'stopRequested';
}

/** Tag of states in which an actor handles commands; before that, it restores its state. */
export const READY = 'ready';

/** Tag of states in which a stopping actor handles only commands that finish work in progress. */
export const ENDING = 'ending';

/** Specification from which the supervisor creates an actor, at each (re)start. */
export interface ChildSpec<Id extends string> {
  readonly id: Id;
  readonly logic: AnyActorLogic;
  /** Input of the next instance. */
  readonly input: () => unknown;
  /** Inbox, shared by all instances; absent for an actor without commands. */
  readonly inbox?: AnyInbox;
}

/** An inbox as used by the supervisor, independent of its command type. */
export interface AnyInbox extends Pick<Inbox<Command>, 'waiting' | 'close' | 'end'> {
  open(deliver: (command: Command) => boolean, only?: 'endings'): void;
}
