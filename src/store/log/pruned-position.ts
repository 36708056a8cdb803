import { ANCHOR_POSITION } from './anchor.js';
import type { EventLog } from './event-log.js';

/** Error text when position `from` is pruned; undefined when a read can begin there. */
export function prunedPosition(log: Pick<EventLog, 'keptFrom'>, from: bigint | undefined): string | undefined {
  const kept = log.keptFrom();
  return from === undefined || from <= ANCHOR_POSITION || from >= kept
    ? undefined
    : `position ${from} is pruned, the log is kept from position ${kept} on`;
}

/** Error text when the log begins above the block of a height; undefined when it does not, and without a height. */
export function prunedHeight(
  log: Pick<EventLog, 'restored' | 'keptFrom'>,
  height: bigint | undefined,
): string | undefined {
  const before = log.restored()?.event.data.height;
  if (height === undefined || before === undefined || height > before) return undefined;
  return log.keptFrom() > ANCHOR_POSITION
    ? `height ${height} is pruned, the log is kept from height ${before + 1n} on`
    : `the log has no block ${height}, for this home began with the snapshot of height ${before}: ask a node with earlier blocks`;
}
