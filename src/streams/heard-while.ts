import { concatWith, filter, merge, NEVER, startWith, takeWhile, type Observable } from 'rxjs';

/**
 * The messages of an actor: `first` at once, then the messages of all sources while `isActive`. It never completes,
 * because xstate would report that to the actor; it leaves its sources at the first message after the end of the actor.
 */
export function heardWhile<Message>(
  first: Message,
  sources: readonly Observable<Message>[],
  isActive: () => boolean,
): Observable<Message> {
  return merge(...sources).pipe(startWith(first), takeWhile(isActive), concatWith(NEVER));
}

/** The messages at which `condition` holds. */
export function heardWhen<Message>(source: Observable<Message>, condition: () => boolean): Observable<Message> {
  return source.pipe(filter(condition));
}
