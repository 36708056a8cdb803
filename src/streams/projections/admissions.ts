import type { LoggedAdmission } from '../../core/mempool/pending-transactions.js';
import { projection, type Message } from '../projection.js';

/** Transactions admitted to the pool; one message per record. */
export interface Admitted extends Message {
  readonly type: 'admitted';
  readonly entries: readonly LoggedAdmission[];
}

export const admissions = projection(({ events }): readonly Admitted[] => {
  const entries = events.flatMap(({ event, position }) =>
    event.type === 'TxAdmitted' ? [{ position, tx: event.data.tx, displaced: event.data.left }] : [],
  );
  const last = entries.at(-1);
  return last === undefined ? [] : [{ type: 'admitted', position: last.position, entries }];
});
