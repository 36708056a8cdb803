import { Observable, Subject } from 'rxjs';
import type { AppliedRecord } from './applied.js';
import { inOrder } from './in-order.js';

/**
 * `applied`: views and actors move to the new head. `published`: push faces, feeds and answers; everything can be read
 * by then.
 */
export type Phase = 'applied' | 'published';

export interface Slot<Name extends string> {
  readonly phase: Phase;
  readonly hearer: Name;
}

export interface Stage<Name extends string> {
  /** Records in the slot of a hearer, from the moment of subscription. */
  at(hearer: Name): Observable<AppliedRecord>;
  /** Records that no slot has been shown yet. */
  readonly before: Observable<AppliedRecord>;
  /** Records that every slot has been shown. */
  readonly afterwards: Observable<AppliedRecord>;
  /** Shows a record to every slot before it returns. A record that is shown meanwhile follows in order. */
  show(record: AppliedRecord): void;
}

/**
 * Shows records to hearers in fixed slots: first the phase `applied`, then `published`, in each the order of `slots`.
 * The order belongs to the table, not to the moment of subscription: a restarted hearer takes its slot again.
 */
export function createStage<Name extends string>(slots: readonly Slot<Name>[]): Stage<Name> {
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
