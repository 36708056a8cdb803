/**
 * Polling filters of Ethereum JSON-RPC. A filter consists of criteria, a cursor and a deadline, and stores no events.
 */
import type { FilterChanges, FilterCriteria } from '../ethereum/api.js';
import { NS_PER_MS, toHeight, toTimeNs, type Height, type Position, type TimeNs } from '../primitives.js';
import { max, min } from '../bigint.js';

/** Head of the chain as Ethereum JSON-RPC shows it. */
export interface FilterHead {
  readonly height: Height;
  readonly position: Position;
}

export interface Filter {
  /** Filter id, 32 lower-case hex digits. */
  readonly id: string;
  readonly criteria: FilterCriteria;
  /** Cursor of block and log filters: blocks up to here were returned. */
  readonly height: Height;
  /**
   * Cursor of pending filters: admissions up to here were returned. For other filters: end of the log when `height`
   * was set.
   */
  readonly position: Position;
  /** Expiry time, unless the filter is polled before. */
  readonly deadline: TimeNs;
}

/** Filter expiry: time without a poll after which a filter is dropped, as in geth (v1.17 `eth/filters/api.go`). */
export const FILTER_IDLE_MS = 300_000;

/** Expiry time of a filter that is created or polled now. */
export function deadlineAfter(now: TimeNs): TimeNs {
  return toTimeNs(now + BigInt(FILTER_IDLE_MS) * NS_PER_MS);
}

/**
 * Milliseconds until a filter found at a restart expires; at most the full time, even when the clock was set back.
 */
export function idleTimeLeft({ deadline }: Pick<Filter, 'deadline'>, now: TimeNs): number {
  return Math.min(Math.max(0, Number((deadline - now) / NS_PER_MS)), FILTER_IDLE_MS);
}

/** Number of addresses and topics of a filter; limits on it bound the memory of all filters. */
export function termsOf(criteria: FilterCriteria): number {
  if (criteria.kind !== 'logs') return 1;
  const { addresses, topics } = criteria.criteria;
  return 1 + addresses.length + topics.reduce((sum, alternatives) => sum + alternatives.length, 0);
}

/**
 * Blocks that the next poll covers: after the cursor up to the head, at most `maximum` (the next poll continues), and
 * for log filters only those in the criteria's range. Undefined when there are none.
 */
export function blocksDue(
  filter: Filter,
  head: FilterHead,
  maximum: number,
): { readonly from: Height; readonly to: Height } | undefined {
  const range = filter.criteria.kind === 'logs' ? filter.criteria.criteria : undefined;
  const from = max(filter.height + 1n, range?.fromBlock ?? 0n);
  const to = min(min(head.height, range?.toBlock ?? head.height), from + BigInt(maximum) - 1n);
  return from > to ? undefined : { from: toHeight(from), to: toHeight(to) };
}

/**
 * Moves the filter's cursor onto the current branch. The cursor was set when the log ended at `position`: blocks
 * executed later are new, including those made again after a revert. `executedAt`: log position of a block's
 * execution on the current branch; undefined below the first block.
 */
export function onBranch(filter: Filter, head: Height, executedAt: (height: Height) => Position | undefined): Filter {
  const isKnown = (height: bigint): boolean =>
    height <= head && (executedAt(toHeight(height)) ?? 0n) <= filter.position;
  if (filter.criteria.kind === 'pending' || isKnown(filter.height)) return filter;
  let known = 0n;
  let news: bigint = filter.height;
  while (news - known > 1n) {
    const middle = (known + news) / 2n;
    if (isKnown(middle)) known = middle;
    else news = middle;
  }
  return { ...filter, height: toHeight(known) };
}

/** Empty changes. */
export function nothingNew({ criteria, height }: Filter): FilterChanges {
  if (criteria.kind === 'block') return { kind: 'blocks', heights: [] };
  if (criteria.kind === 'pending') return { ...criteria, hashes: [] };
  return { kind: 'logs', criteria: criteria.criteria, from: toHeight(height + 1n), to: height };
}
