import { Observable, Subject } from 'rxjs';
import type { AppliedRecord } from './join-executions.js';
import { inOrder } from './in-order.js';

/**
 * Dispatch phases. `applied`: views and actors move to the new head. `published`: push APIs, feeds and waiting answers;
 * everything is readable by then.
 */
export type Phase = 'applied' | 'published';

export interface Slot<Name extends string> {
  readonly phase: Phase;
  readonly consumer: Name;
}

export interface RecordDispatcher<Name extends string> {
  /** Records dispatched to a consumer, from the moment of subscription. */
  at(consumer: Name): Observable<AppliedRecord>;
  /** Emits a record before any slot receives it. */
  readonly before: Observable<AppliedRecord>;
  /** Emits a record after every slot has received it. */
  readonly afterwards: Observable<AppliedRecord>;
  /** Dispatches a record to every slot synchronously; a record dispatched meanwhile follows in order. */
  show(record: AppliedRecord): void;
}

/**
 * Dispatches records to consumers in fixed slots: phase `applied`, then `published`, each in the order of `slots`. The
 * order does not depend on subscription time, so a restarted consumer keeps its slot.
 */
export function createRecordDispatcher<Name extends string>(slots: readonly Slot<Name>[]): RecordDispatcher<Name> {
  const subjects = new Map<Name, Subject<AppliedRecord>>(slots.map(({ consumer }) => [consumer, new Subject()]));
  const ordered = [
    ...slots.filter(({ phase }) => phase === 'applied'),
    ...slots.filter(({ phase }) => phase === 'published'),
  ];
  const before = new Subject<AppliedRecord>();
  const afterwards = new Subject<AppliedRecord>();
  return {
    before: before.asObservable(),
    afterwards: afterwards.asObservable(),
    at: (consumer) => subjects.get(consumer)?.asObservable() ?? new Observable(),
    show: inOrder((record) => {
      before.next(record);
      for (const { consumer } of ordered) subjects.get(consumer)?.next(record);
      afterwards.next(record);
    }),
  };
}
