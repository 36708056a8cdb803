import type { Recorded } from './log-events.js';
import type { Position } from './primitives.js';

/**
 * A record of the log: the events of one atomic batch, with contiguous positions (docs/decisions/0001-log-record.md).
 */
export interface LogRecord {
  /** Position of the last event. */
  readonly position: Position;
  readonly events: readonly Recorded[];
}
