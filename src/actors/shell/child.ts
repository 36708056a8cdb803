import type { AnyActorLogic } from 'xstate';
import type { Command, Inbox } from './inbox.js';

/**
 * A request to stop: the actor goes to a final state at its next quiet point (no block in flight, no poll in progress).
 * Every chart of a child of the supervisor handles this event.
 */
export interface StopRequested {
  readonly type: 'stopRequested';
}

/** Tag of the states in which an actor takes commands; before them it rebuilds itself. */
export const READY = 'ready';

/** Tag of the states in which a stopping actor takes only the commands that end work in progress. */
export const ENDING = 'ending';

/** The description from which the supervisor makes an actor, each time it is started. */
export interface ChildSpec<Id extends string> {
  readonly id: Id;
  readonly logic: AnyActorLogic;
  /** The input of the next incarnation. */
  readonly input: () => unknown;
  /** Commands of every incarnation; absent for an actor without commands. */
  readonly inbox?: InboxOf;
}

/** An inbox as the supervisor uses it, independent of the type of its commands. */
export interface InboxOf extends Pick<Inbox<Command>, 'waiting' | 'close' | 'end'> {
  open(deliver: (command: Command) => boolean, only?: 'endings'): void;
}
