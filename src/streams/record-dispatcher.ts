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
  readonly hearer: Name;
}

export interface RecordDispatcher<Name extends string> {
  /** Records dispatched to a hearer, from the moment of subscription. */
  at(hearer: Name): Observable<AppliedRecord>;
  /** Emits a record before any slot receives it. */
  readonly before: Observable<AppliedRecord>;
  /** Emits a record after every slot has received it. */
  readonly afterwards: Observable<AppliedRecord>;
  /** Dispatches a record to every slot synchronously; a record dispatched meanwhile follows in order. */
  show(record: AppliedRecord): void;
}

/**
 * Dispatches records to hearers in fixed slots: phase `applied`, then `published`, each in the order of `slots`. The
 * order does not depend on subscription time, so a restarted hearer keeps its slot.
 */
export function createRecordDispatcher<Name extends string>(slots: readonly Slot<Name>[]): RecordDispatcher<Name> {
  const subjects = new Map<Name, Subject<AppliedRecord>>(slots.map(({ hearer }) => [hearer, new Subject()]));
  const ordered = [
    ...slots.filter(({ phase }) => phase === 'applied'),
    ...slots.filter(({ phase }) => phase === 'published'),
  ];
  const before = new Subject<AppliedRecord>();
  const afterwards = new Subject<AppliedRecord>();
  return {
    before: before.asObservable(),
    afterwards: afterwards.asObservable(),
    at: (hearer) => subjects.get(hearer)?.asObservable() ?? new Observable(),
    show: inOrder((record) => {
      before.next(record);
      for (const { hearer } of ordered) subjects.get(hearer)?.next(record);
      afterwards.next(record);
    }),
  };
}
