import type { Mining } from '../../core/chain/mining.js';
import { NS_PER_MS, type TimeNs } from '../../core/primitives.js';

/**
 * Longest gathering time, milliseconds. Transactions that arrived during a block wait as long as that block took, so
 * that admission gets half of the time and a stream of transactions is packed into few blocks
 * (docs/decisions/0010-instant-blocks.md).
 */
const GATHERING_MS_MAX = 4;

/**
 * Remaining milliseconds of the pause that started at `begun`, after which a block is made without a request; undefined
 * when the mode makes none. `share`: random fraction drawn for this pause, 0 <= share < 1. `hasIncludable`: a
 * transaction can be included.
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
 * Remaining milliseconds until the block with the transactions that arrived during the last block, which began at
 * `lastBegun`.
 */
export function gatheringMs(now: TimeNs, lastBegun: TimeNs): number {
  return Math.max(0, Math.min(GATHERING_MS_MAX, millisecondsBetween(lastBegun, now)));
}

/** True shortly after a block was applied, when its senders may send their next transactions. */
export function expectsFollowUps(now: TimeNs, lastApplied: TimeNs): boolean {
  return millisecondsBetween(lastApplied, now) < GATHERING_MS_MAX;
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
