import { Observable } from 'rxjs';
import type { Position } from '../core/primitives.js';
import type { AppliedRecord } from './applied.js';

/** A message of a derived stream; `type` is the name of the stream. */
export interface Message {
  readonly type: string;
  /** Position of the event in the log from which the message was made. */
  readonly position: Position;
}

/** A pure function from a record of the log to the messages of one stream, in log order. */
export interface Projection<Made extends Message> {
  readonly of: (record: AppliedRecord) => readonly Made[];
}

export type MadeBy<Of> = Of extends Projection<infer Made> ? Made : never;

/** Each record is projected once, independent of the number of hearers. */
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

/** The messages of several projections as one stream in log order. */
export function project<Of extends Projection<Message>>(
  records: Observable<AppliedRecord>,
  projections: readonly Of[],
): Observable<MadeBy<Of>> {
  // `mergeMap` over the messages would make an observable for each record.
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

/** The messages that `project` makes of one record. */
export function messagesOf<Of extends Projection<Message>>(
  record: AppliedRecord,
  projections: readonly Of[],
): readonly MadeBy<Of>[] {
  let found: readonly MadeBy<Of>[] = [];
  let streams = 0;
  for (const { of } of projections) {
    const made = of(record) as readonly MadeBy<Of>[];
    if (made.length === 0) continue;
    streams += 1;
    found = streams === 1 ? made : [...found, ...made];
  }
  return streams <= 1 ? found : found.toSorted((a, b) => Number(a.position - b.position));
}
