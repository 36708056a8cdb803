import type { BlockDecided, BlockExecuted, Recorded, SnapshotRestored } from './log-events.js';

/** True for a decided block. */
export function isDecided(recorded: Recorded | undefined): recorded is Recorded<BlockDecided> {
  return recorded?.event.type === 'BlockDecided';
}

/** True for an executed block. */
export function isExecuted(recorded: Recorded | undefined): recorded is Recorded<BlockExecuted> {
  return recorded?.event.type === 'BlockExecuted';
}

/** True for a restored snapshot. */
export function isRestored(recorded: Recorded | undefined): recorded is Recorded<SnapshotRestored> {
  return recorded?.event.type === 'SnapshotRestored';
}
