import type { ExecutionOutput } from '../../core/chain/execution-output.js';
import type { BlockDecided, BlockExecuted, Recorded } from '../../core/log-events.js';
import type { Height } from '../../core/primitives.js';
import { projection, type Message } from '../projection.js';

/** A block was executed: later blocks build on its state. */
export interface Executed extends Message {
  readonly type: 'executed';
  readonly data: BlockExecuted['data'];
  /** The block's decision; undefined when it was in an earlier record. */
  readonly decided: BlockDecided | undefined;
  /** Undefined when the record was read from the log. */
  readonly execution: ExecutionOutput | undefined;
}

export const executed = projection(({ events, execution }): readonly Executed[] => {
  const blocks: Executed[] = [];
  for (const { event, position } of events) {
    if (event.type !== 'BlockExecuted') continue;
    const { data } = event;
    blocks.push({ type: 'executed', position, data, decided: shownDecision(events, data.height), execution });
  }
  return blocks;
});

function shownDecision(events: readonly Recorded[], height: Height): BlockDecided | undefined {
  for (const { event } of events) if (event.type === 'BlockDecided' && event.data.height === height) return event;
  return undefined;
}
