import { fromEventObservable, type AnyActorRef, type EventObject } from 'xstate';
import { heardWhile, type Observable } from '../../streams/index.js';

/** First message to an actor: its subscriptions are active. */
export interface Started {
  readonly type: 'started';
}

export interface HeardInput<Message extends EventObject> {
  readonly sources: readonly Observable<Message>[];
  /** The subscribing actor. */
  readonly consumer: AnyActorRef;
  /** Filter: messages for which it is false do not become events. Default: all do. */
  readonly isNews?: (message: Message) => boolean;
}

/**
 * Invocable logic that delivers stream messages to an actor as events while it is active. It stops with the actor, even
 * a failed one, whose children xstate keeps running.
 */
export function heard<Message extends EventObject>() {
  return fromEventObservable<Message | Started, HeardInput<Message>>(
    ({ input: { sources, consumer, isNews = () => true } }) =>
      heardWhile<Started, Message>(
        { type: 'started' },
        sources,
        () => consumer.getSnapshot().status === 'active',
        isNews,
      ),
  );
}
