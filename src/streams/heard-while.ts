import { concatWith, filter, merge, NEVER, startWith, takeWhile, type Observable } from 'rxjs';

/**
 * Emits `first`, then the messages of all sources that pass `isNews`, while `isActive`. Never completes, because xstate
 * would report that to the actor; unsubscribes at the first message after the actor has ended.
 */
export function heardWhile<First, Message>(
  first: First,
  sources: readonly Observable<Message>[],
  isActive: () => boolean,
  isNews: (message: Message) => boolean,
): Observable<First | Message> {
  const live = merge(...sources).pipe(takeWhile(isActive), filter(isNews));
  return live.pipe(startWith(first), concatWith(NEVER));
}

/** Filters messages by a condition that is evaluated at each message. */
export function heardWhen<Message>(source: Observable<Message>, condition: () => boolean): Observable<Message> {
  return source.pipe(filter(condition));
}
