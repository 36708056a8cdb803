import { ANCHOR_POSITION } from './anchor.js';
import type { EventLog } from './event-log.js';

/** Error text when position `from` is pruned; undefined when a read can begin there. */
export function prunedPosition(log: Pick<EventLog, 'keptFrom'>, from: bigint | undefined): string | undefined {
  const kept = log.keptFrom();
  return from === undefined || from <= ANCHOR_POSITION || from >= kept
    ? undefined
    : `position ${from} is pruned, the log is kept from position ${kept} on`;
}
