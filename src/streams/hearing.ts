import { Observable } from 'rxjs';
import { toPosition, type Position } from '../core/primitives.js';
import type { LogRecord } from '../core/log-record.js';
import type { AppliedRecord } from './applied.js';
import { messagesOf, project, type MadeBy, type Message, type Projection } from './projection.js';

/** The stored log, for records that a slot has already shown. */
export interface PastRecords {
  /** Records with events from `from` up to `through`, oldest first; an event below `from` is left out of its record. */
  read(range: { readonly from: Position; readonly through: Position }): AsyncIterable<LogRecord>;
  /** Position of the last event that has been shown. */
  shown(): Position;
}

/** The messages of one hearer of the wiring, in log order. */
export interface Hearing<Made extends Message> {
  /** From the moment of subscription. */
  readonly live: Observable<Made>;
  /**
   * Everything after `position`: first what the log holds, then live, without a gap or a message twice. Errors when the
   * log cannot be read.
   */
  from(position: Position): Observable<Made>;
}

/** A hearing of `projections` over the records of one slot. */
export function createHearing<Of extends Projection<Message>>(
  slot: Observable<AppliedRecord>,
  projections: readonly Of[],
  past: PastRecords,
): Hearing<MadeBy<Of>> {
  return {
    live: project(slot, projections),
    from: (position) =>
      new Observable((subscriber) => {
        const catchUp = async (): Promise<void> => {
          let last = position;
          // A subscription that is made while a record is shown begins after that record.
          await Promise.resolve();
          // A record that is shown while the log is read is read too: it is in the log before it is shown.
          while (last < past.shown()) {
            const range = { from: toPosition(last + 1n), through: past.shown() };
            for await (const record of past.read(range)) {
              if (subscriber.closed) return;
              last = record.position;
              for (const message of messagesOf({ ...record, execution: undefined }, projections))
                subscriber.next(message);
            }
          }
          // Nothing was awaited since the comparison, so that no record lies between the log and the slot.
          subscriber.add(project(slot, projections).subscribe(subscriber));
        };
        catchUp().catch((error: unknown) => subscriber.error(error));
      }),
  };
}
