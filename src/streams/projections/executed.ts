import type { ExecutedNow } from '../../core/chain/executed-now.js';
import type { BlockExecuted } from '../../core/events.js';
import { projection, type Message } from '../projection.js';

/** A block was executed: everything after it builds on the state that it left. */
export interface Executed extends Message {
  readonly type: 'executed';
  readonly data: BlockExecuted['data'];
  /** Absent where the record was read from the log again. */
  readonly execution: ExecutedNow | undefined;
}

export const executed = projection(({ events, execution }): readonly Executed[] =>
  events.flatMap(({ event, position }) =>
    event.type === 'BlockExecuted' ? [{ type: 'executed', position, data: event.data, execution }] : [],
  ),
);
