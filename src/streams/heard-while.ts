import { concatWith, filter, merge, NEVER, startWith, takeWhile, type Observable } from 'rxjs';

/**
 * The messages of an actor: `first` at once, then the messages of all sources that are `isNews` while `isActive`. It
 * never completes, because xstate would report that to the actor; it leaves its sources at the first message, news or
 * not, after the end of the actor.
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

/** The messages at which `condition` holds. */
export function heardWhen<Message>(source: Observable<Message>, condition: () => boolean): Observable<Message> {
  return source.pipe(filter(condition));
}
