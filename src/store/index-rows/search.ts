import type { Outcome, SearchResult, SearchSlice } from '../../core/node-api.js';
import { toHeight } from '../../core/primitives.js';
import type { Condition } from '../../core/query/index.js';
import { RangesBusy } from '../state/range-gate.js';
import { TooManyPostings } from './lowest-postings.js';
import { countMatches, type MatchCount, matchesFrom } from './count.js';
import { firstHeightOfWindow, hasIndexGoneBack, indexedThrough } from './index-rows.js';
import { planOf, type Plan } from './plan.js';
import { planStream } from './plan-stream.js';
import type { PostingKind } from './posting.js';
import type { SearchContext } from './search-context.js';
import { SearchBudgetExceeded, searchUnindexed } from './unindexed-blocks.js';
import type { Found } from './unit.js';

/**
 * tx_search and block_search: one page of the transactions or blocks with one event that satisfies all conditions,
 * ordered by height and index, and their total number. The index is read in steps with bounded memory. The caller
 * handles conditions on `tx.hash`, as CometBFT does before it scans (v0.38 `state/txindex/kv/kv.go`). Fails with
 * `limit-exceeded` when blocks not indexed yet have more postings than `limits.searchRows` or one block has too many,
 * and with `busy` when too many range reads wait.
 */
export async function searchPostings(
  kind: PostingKind,
  conditions: readonly Condition[],
  slice: SearchSlice,
  context: SearchContext,
): Promise<Outcome<SearchResult<Found>>> {
  const { limits, store } = context;
  const plan = planOf(kind, conditions, context);
  if (plan.low > plan.high) return { ok: true, value: { total: 0, items: [] } };
  try {
    for (;;) {
      const indexed = indexedThrough(store);
      const found = await searchOnce(kind, plan, slice, context);
      // A revert meanwhile may have deleted shared rows of blocks that stay: search again.
      if (!hasIndexGoneBack(store, indexed)) return { ok: true, value: found };
    }
  } catch (error) {
    if (error instanceof SearchBudgetExceeded || error instanceof TooManyPostings)
      return { ok: false, error: { code: 'limit-exceeded', limit: 'searchRows', maximum: limits.searchRows } };
    if (error instanceof RangesBusy) return { ok: false, error: { code: 'busy', what: 'ranges' } };
    throw error;
  }
}

/** One pass over the index rows and the blocks after the cursor. */
async function searchOnce(
  kind: PostingKind,
  plan: Plan,
  slice: SearchSlice,
  context: SearchContext,
): Promise<SearchResult<Found>> {
  const next = toHeight((indexedThrough(context.store) ?? context.first - 1n) + 1n);
  // Block events are indexed only when their window is complete.
  const from = kind === 'block' ? firstHeightOfWindow(next, context.first) : next;
  const tail = await searchUnindexed(kind, plan, from, context);
  const rows = { ...plan, high: toHeight(from - 1n < plan.high ? from - 1n : plan.high) };
  const counted = await countMatches(await planStream(kind, rows, context), context.pause);
  const total = counted.total + tail.length;
  const { offset, limit, descending } = slice;
  const begin = Math.max(0, descending ? total - offset - limit : offset);
  const end = Math.min(total, descending ? total - offset : offset + limit);
  const items = [
    ...(await itemsOf(kind, rows, counted, begin, Math.min(end, counted.total), context)),
    ...tail.slice(Math.max(0, begin - counted.total), Math.max(0, end - counted.total)),
  ];
  return { total, items: descending ? items.reverse() : items };
}

/** Matches number `begin` to `end - 1` of the index rows. */
async function itemsOf(
  kind: PostingKind,
  plan: Plan,
  { marks }: MatchCount,
  begin: number,
  end: number,
  context: SearchContext,
): Promise<readonly Found[]> {
  if (begin >= end) return [];
  const mark = marks.findLast(({ before }) => before <= begin) ?? { at: 0, before: 0 };
  return matchesFrom(kind, await planStream(kind, plan, context), mark, { begin, end });
}
