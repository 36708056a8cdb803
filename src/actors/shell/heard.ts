import { fromEventObservable, type AnyActorRef, type EventObject } from 'xstate';
import { heardWhile, type Observable } from '../../streams/index.js';

/** The first message of an actor: it hears its streams from now on. */
export interface Started {
  readonly type: 'started';
}

export interface HeardInput<Message extends EventObject> {
  readonly sources: readonly Observable<Message>[];
  /** The actor that hears them. */
  readonly hearer: AnyActorRef;
  /** False for messages that change nothing: they do not become events. Without it every message does. */
  readonly isNews?: (message: Message) => boolean;
}

/**
 * The messages that an actor hears while it runs, as logic that its chart invokes: each message becomes an event of the
 * actor. It ends with the actor, even with a failed one, whose children xstate leaves running.
 */
export function heard<Message extends EventObject>() {
  return fromEventObservable<Message | Started, HeardInput<Message>>(
    ({ input: { sources, hearer, isNews = () => true } }) =>
      heardWhile<Started, Message>(
        { type: 'started' },
        sources,
        () => hearer.getSnapshot().status === 'active',
        isNews,
      ),
  );
}
