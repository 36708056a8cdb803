import { Observable } from 'rxjs';
import { toPosition, type Position } from '../core/primitives.js';
import type { LogRecord } from '../core/log-record.js';
import type { AppliedRecord } from './join-executions.js';
import { messagesOf, project, type MessageOf, type Message, type Projection } from './projection.js';

/** Access to the stored log, for records that were published before. */
export interface PastRecords {
  /** Records with events from `from` to `through`, oldest first; earlier events of the first record are left out. */
  read(range: { readonly from: Position; readonly through: Position }): AsyncIterable<LogRecord>;
  /** Position of the last published event. */
  shown(): Position;
}

/** The message stream of one consumer of the wiring, in log order. */
export interface ConsumerStream<Made extends Message> {
  /** Messages from the moment of subscription. */
  readonly live: Observable<Made>;
  /**
   * All messages after `position`: first from the log, then live, without gaps or duplicates. Errors when the log
   * cannot be read.
   */
  from(position: Position): Observable<Made>;
}

/** Creates the message stream of `projections` over one slot. */
export function createConsumerStream<Of extends Projection<Message>>(
  slot: Observable<AppliedRecord>,
  projections: readonly Of[],
  past: PastRecords,
): ConsumerStream<MessageOf<Of>> {
  return {
    live: project(slot, projections),
    from: (position) =>
      new Observable((subscriber) => {
        const catchUp = async (): Promise<void> => {
          let last = position;
          // A subscription created while a record is dispatched begins after that record.
          await Promise.resolve();
          // Records published during the read are covered, because they are in the log first.
          while (last < past.shown()) {
            const range = { from: toPosition(last + 1n), through: past.shown() };
            for await (const record of past.read(range)) {
              if (subscriber.closed) return;
              last = record.position;
              for (const message of messagesOf({ ...record, execution: undefined }, projections))
                subscriber.next(message);
            }
          }
          // No await since the comparison, so no record can be missed between log and slot.
          subscriber.add(project(slot, projections).subscribe(subscriber));
        };
        catchUp().catch((error: unknown) => subscriber.error(error));
      }),
  };
}
