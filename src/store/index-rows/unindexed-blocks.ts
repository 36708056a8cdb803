import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { hasKey, scansOf, type Plan, type Scan } from './plan.js';
import { postingsOf, type Posting, type PostingKind } from './posting.js';
import type { SearchContext } from './search-context.js';
import { eventCode, indexOfCode, ordered, type Found } from './unit.js';

/** The search would compare more postings in memory than `searchRows`. */
export class SearchBudgetExceeded extends Error {
  override readonly name = 'SearchBudgetExceeded';
}

/**
 * Searches published heights from `from` on that are not indexed yet. Their postings are computed in memory and equal
 * the rows that the indexer adds meanwhile.
 */
export async function searchUnindexed(
  kind: PostingKind,
  plan: Plan,
  from: Height,
  { eventsAt, limits, pause }: Pick<SearchContext, 'eventsAt' | 'limits' | 'pause'>,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  let left = limits.searchRows;
  let compared = 0;
  for (let height = from > plan.low ? from : plan.low; height <= plan.high; height = toHeight(height + 1n)) {
    const block = eventsAt(height, kind);
    const postings = block === undefined ? [] : postingsOf(kind, block);
    // Reading a block without postings costs work, too.
    left -= 1 + postings.length;
    if (left < 0) throw new SearchBudgetExceeded('search budget is spent');
    for (const index of matchesIn(postings, scansOf(kind, plan))) found.push({ height, index });
    compared += postings.length;
    // Reading a block with transactions takes a few milliseconds.
    if (compared < FIXED_LIMITS.searchPostingsPerTurn && (block?.txs.length ?? 0) === 0) continue;
    compared = 0;
    await pause();
  }
  return found;
}

/** Indices of the transactions with an event that satisfies every scan, ascending; for block events, index 0. */
function matchesIn(postings: readonly Posting[], scans: readonly Scan[]): ReadonlySet<number> {
  let survivors: ReadonlySet<number> | undefined;
  for (const scan of scans) {
    const found = new Set<number>();
    for (const { key, value, index, event } of postings) {
      const code = eventCode(index, event);
      if (survivors !== undefined && !survivors.has(code)) continue;
      if ([scan, ...(scan.or === undefined ? [] : [scan.or])].some((one) => hasKey(one, key) && one.accepts(value)))
        found.add(code);
    }
    survivors = found;
  }
  return new Set(ordered([...(survivors ?? [])]).map(indexOfCode));
}
