import type { Outcome, SearchResult, SearchSlice } from '../../core/node-api.js';
import { toHeight } from '../../core/primitives.js';
import type { Condition } from '../../core/query/index.js';
import { RangesBusy } from '../state/range-gate.js';
import { BandFull } from './band.js';
import { countFound, type Counted, foundFrom } from './count.js';
import { beginOf, hasIndexGoneBack, indexedThrough } from './index-rows.js';
import { planOf, type Plan } from './plan.js';
import { planStream } from './plan-stream.js';
import type { PostingKind } from './posting.js';
import type { SearchContext } from './search-context.js';
import { BudgetSpent, tailFound } from './tail.js';
import type { Found } from './unit.js';

/**
 * tx_search and block_search: a slice of the transactions or blocks with one event that satisfies all conditions, by
 * height and index, and their number. Read in steps from the index, whatever number there is: what is held is bounded.
 * The caller handles conditions on `tx.hash`, as CometBFT does before it scans (v0.38 `state/txindex/kv/kv.go`). Fails
 * with `limit-exceeded` when the blocks outside of the index have more postings than `limits.searchRows`, or one block
 * more than are held; and with `busy` when too many ranges wait.
 */
export async function searchPostings(
  kind: PostingKind,
  conditions: readonly Condition[],
  slice: SearchSlice,
  context: SearchContext,
): Promise<Outcome<SearchResult<Found>>> {
  const { head, limits, store } = context;
  const plan = planOf(kind, conditions, head);
  if (plan.low > plan.high) return { ok: true, value: { total: 0, items: [] } };
  try {
    for (;;) {
      const indexed = indexedThrough(store);
      const found = await searchOnce(kind, plan, slice, context);
      // Rows of blocks that stay may have gone with those of blocks that a revert removed.
      if (!hasIndexGoneBack(store, indexed)) return { ok: true, value: found };
    }
  } catch (error) {
    if (error instanceof BudgetSpent || error instanceof BandFull)
      return { ok: false, error: { code: 'limit-exceeded', limit: 'searchRows', maximum: limits.searchRows } };
    if (error instanceof RangesBusy) return { ok: false, error: { code: 'busy', what: 'ranges' } };
    throw error;
  }
}

/** One reading of the rows, and of the blocks after the cursor. */
async function searchOnce(
  kind: PostingKind,
  plan: Plan,
  slice: SearchSlice,
  context: SearchContext,
): Promise<SearchResult<Found>> {
  const next = toHeight((indexedThrough(context.store) ?? context.first - 1n) + 1n);
  // Block events get their rows at the end of their window.
  const from = kind === 'block' ? beginOf(next, context.first) : next;
  const tail = await tailFound(kind, plan, from, context);
  const rows = { ...plan, high: toHeight(from - 1n < plan.high ? from - 1n : plan.high) };
  const counted = await countFound(await planStream(kind, rows, context), context.pause);
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

/** The transactions or blocks of the rows, from number `begin` to before number `end`. */
async function itemsOf(
  kind: PostingKind,
  plan: Plan,
  { marks }: Counted,
  begin: number,
  end: number,
  context: SearchContext,
): Promise<readonly Found[]> {
  if (begin >= end) return [];
  const mark = marks.findLast(({ before }) => before <= begin) ?? { at: 0, before: 0 };
  return foundFrom(kind, await planStream(kind, plan, context), mark, { begin, end });
}
