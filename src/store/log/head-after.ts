import type { Recorded } from '../../core/log-events.js';
import { toPosition } from '../../core/primitives.js';
import { heightsAfter, type LogHead } from './head.js';
import type { RecordHeader } from './record.js';

/** Computes the head after a record, from the head before it. */
export function headAfter(
  before: LogHead,
  events: readonly Recorded[],
  { first: record, count, hash, lost, anchor }: RecordHeader,
): LogHead {
  const streams = { ...before.streams, ...lost, ...anchor?.streams };
  let heights = { decided: before.decided, executed: before.executed };
  let { time } = before;
  for (const recorded of events) {
    heights = heightsAfter(heights, recorded.event);
    streams[recorded.stream] = recorded.streamPosition;
    ({ time } = recorded);
  }
  const position = toPosition(before.position + BigInt(count));
  const { decided, executed } = heights;
  return { position, record, hash, time, streams, decided, executed };
}
