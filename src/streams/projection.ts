import { Observable } from 'rxjs';
import type { Position } from '../core/primitives.js';
import type { AppliedRecord } from './join-executions.js';

/** A message of a derived stream; `type` names the stream. */
export interface Message {
  readonly type: string;
  /** Log position of the event that the message is derived from. */
  readonly position: Position;
}

/** A pure function from a log record to the messages of one stream, in log order. */
export interface Projection<Made extends Message> {
  readonly of: (record: AppliedRecord) => readonly Made[];
}

export type MessageOf<Of> = Of extends Projection<infer Made> ? Made : never;

/** Creates a projection that computes each record once, regardless of the number of subscribers. */
export function projection<Made extends Message>(of: Projection<Made>['of']): Projection<Made> {
  const made = new WeakMap<AppliedRecord, readonly Made[]>();
  return {
    of(record) {
      const known = made.get(record);
      if (known !== undefined) return known;
      const messages = of(record);
      made.set(record, messages);
      return messages;
    },
  };
}

/** Merges several projections into one stream in log order. */
export function project<Of extends Projection<Message>>(
  records: Observable<AppliedRecord>,
  projections: readonly Of[],
): Observable<MessageOf<Of>> {
  // Not `mergeMap`: it would create an observable per record.
  return new Observable((subscriber) =>
    records.subscribe({
      next(record) {
        for (const message of messagesOf(record, projections)) subscriber.next(message);
      },
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    }),
  );
}

/** The messages of one record, as emitted by `project`. */
export function messagesOf<Of extends Projection<Message>>(
  record: AppliedRecord,
  projections: readonly Of[],
): readonly MessageOf<Of>[] {
  let found: readonly MessageOf<Of>[] = [];
  let streams = 0;
  for (const { of } of projections) {
    const made = of(record) as readonly MessageOf<Of>[];
    if (made.length === 0) continue;
    streams += 1;
    found = streams === 1 ? made : [...found, ...made];
  }
  return streams <= 1 ? found : found.toSorted((a, b) => Number(a.position - b.position));
}
