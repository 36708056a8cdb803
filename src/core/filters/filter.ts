/**
 * Polling filters of the Ethereum face. A filter consists of criteria, a cursor and a deadline, and holds no events.
 */
import type { FilterChanges, FilterCriteria } from '../ethereum/api.js';
import { toHeight, toTimeNs, type Height, type Position, type TimeNs } from '../primitives.js';

/** The head of the chain as the Ethereum face shows it. */
export interface FilterHead {
  readonly height: Height;
  readonly position: Position;
}

export interface Filter {
  /** 32 lower-case hex digits. */
  readonly id: string;
  readonly criteria: FilterCriteria;
  /** Cursor of block and log filters: blocks up to here were answered. */
  readonly height: Height;
  /** Cursor of pending filters: admissions up to here were answered. */
  readonly position: Position;
  /** The filter expires at this time unless it is polled before. */
  readonly deadline: TimeNs;
}

/** geth's time without a poll after which a filter is dropped (v1.17 `eth/filters/api.go`). */
export const FILTER_IDLE_MS = 300_000;
const NS_PER_MS = 1_000_000n;

export function deadlineAfter(now: TimeNs): TimeNs {
  return toTimeNs(now + BigInt(FILTER_IDLE_MS) * NS_PER_MS);
}

/**
 * Milliseconds until a filter that was found at a restart expires; at most the full time, even when the clock was set
 * back.
 */
export function idleTimeLeft({ deadline }: Pick<Filter, 'deadline'>, now: TimeNs): number {
  return Math.min(Math.max(0, Number((deadline - now) / NS_PER_MS)), FILTER_IDLE_MS);
}

/** Number of addresses and topics of a filter, which bounds the memory of all filters. */
export function termsOf(criteria: FilterCriteria): number {
  if (criteria.kind !== 'logs') return 1;
  const { addresses, topics } = criteria.criteria;
  return 1 + addresses.length + topics.reduce((sum, alternatives) => sum + alternatives.length, 0);
}

/**
 * Blocks that the next poll covers: after the cursor, up to the head, at most `maximum` of them (further ones follow
 * with the next poll), and for log filters only those inside the range of the criteria. Undefined when there are none.
 */
export function blocksDue(
  filter: Filter,
  head: FilterHead,
  maximum: number,
): { readonly from: Height; readonly to: Height } | undefined {
  const range = filter.criteria.kind === 'logs' ? filter.criteria.criteria : undefined;
  const from = larger(filter.height + 1n, range?.fromBlock ?? 0n);
  const to = smaller(smaller(head.height, range?.toBlock ?? head.height), from + BigInt(maximum) - 1n);
  return from > to ? undefined : { from: toHeight(from), to: toHeight(to) };
}

/** The filter after a poll that covered everything up to `through`. */
export function polled(filter: Filter, through: FilterHead, now: TimeNs): Filter {
  return { ...filter, height: through.height, position: through.position, deadline: deadlineAfter(now) };
}

/** The filter after the chain was reverted to `height`: blocks that are made again are new to it. */
export function rewound(filter: Filter, height: Height): Filter {
  return filter.height > height ? { ...filter, height } : filter;
}

/** An answer without changes. */
export function nothingNew({ criteria, height }: Filter): FilterChanges {
  if (criteria.kind === 'block') return { kind: 'blocks', heights: [] };
  if (criteria.kind === 'pending') return { kind: 'pending', hashes: [] };
  return { kind: 'logs', criteria: criteria.criteria, from: toHeight(height + 1n), to: height };
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
