import { ANCHOR_POSITION } from './anchor.js';
import type { EventLog } from './event-log.js';

/** Why a read cannot begin at a position whose record was pruned; undefined where it can. */
export function prunedPosition(log: Pick<EventLog, 'keptFrom'>, from: bigint | undefined): string | undefined {
  const kept = log.keptFrom();
  return from === undefined || from <= ANCHOR_POSITION || from >= kept
    ? undefined
    : `position ${from} is pruned, the log is kept from position ${kept} on`;
}
