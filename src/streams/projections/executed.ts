import type { ExecutedNow } from '../../core/chain/executed-now.js';
import { traceOf, type Decision } from '../../core/chain/decision.js';
import type { BlockExecuted, Recorded } from '../../core/log-events.js';
import type { Height } from '../../core/primitives.js';
import { projection, type Message } from '../projection.js';

/** A block was executed: later blocks build on its state. */
export interface Executed extends Message {
  readonly type: 'executed';
  readonly data: BlockExecuted['data'];
  /** Events of the rounds before the decision; empty when the decision was logged and shown in an earlier record. */
  readonly trace: Decision['trace'];
  /** Absent when the record was read from the log again. */
  readonly execution: ExecutedNow | undefined;
}

export const executed = projection(({ events, execution }): readonly Executed[] =>
  events.flatMap(({ event, position }) =>
    event.type === 'BlockExecuted'
      ? [{ type: 'executed', position, data: event.data, trace: shownTrace(events, event.data.height), execution }]
      : [],
  ),
);

function shownTrace(events: readonly Recorded[], height: Height): Decision['trace'] {
  for (const { event } of events)
    if (event.type === 'BlockDecided' && event.data.height === height) return traceOf(event);
  return [];
}
