import type { Mining } from '../../core/chain/mining.js';
import { NS_PER_MS, type TimeNs } from '../../core/primitives.js';

/**
 * Longest wait of transactions that came during a block, milliseconds: they wait as long as that block took, so that
 * admission has half of the time and a stream of transactions goes into few blocks
 * (docs/decisions/0010-instant-blocks.md).
 */
const LONGEST_GATHERING_MS = 4;

/**
 * Milliseconds from `now` to the end of the pause that began at `begun`, when a block comes although nothing asks for
 * one; undefined when the mode makes none. `share`: what was drawn for this pause, from 0 to below 1. `hasIncludable`:
 * a transaction can go into a block.
 */
export function pauseMs(
  mining: Mining,
  now: TimeNs,
  begun: TimeNs,
  share: number,
  hasIncludable: boolean,
): number | undefined {
  const whole = wholePauseMs(mining, share, hasIncludable);
  return whole === undefined ? undefined : Math.min(whole, Math.max(0, whole - millisecondsBetween(begun, now)));
}

/**
 * Milliseconds from `now` to the block of the transactions that came while the last block, begun at `lastBegun`, was
 * made.
 */
export function gatheringMs(now: TimeNs, lastBegun: TimeNs): number {
  return Math.max(0, Math.min(LONGEST_GATHERING_MS, millisecondsBetween(lastBegun, now)));
}

/** True while the senders of a block that was applied at `lastApplied` may send again for the next one. */
export function areAwaited(now: TimeNs, lastApplied: TimeNs): boolean {
  return millisecondsBetween(lastApplied, now) < LONGEST_GATHERING_MS;
}

function wholePauseMs(mining: Mining, share: number, hasIncludable: boolean): number | undefined {
  switch (mining.kind) {
    case 'instant':
      return mining.heartbeatMs;
    case 'interval':
      if (mining.empty !== undefined && !hasIncludable) return mining.empty.afterMs;
      return mining.intervalMs + Math.floor(share * ((mining.longestMs ?? mining.intervalMs) - mining.intervalMs + 1));
    case 'manual':
      return undefined;
  }
}

function millisecondsBetween(from: TimeNs, to: TimeNs): number {
  return Number((to - from) / NS_PER_MS);
}
