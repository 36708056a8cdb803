import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { hasKey, scansOf, type Plan, type Scan } from './plan.js';
import { postingsOf, type Posting, type PostingKind } from './posting.js';
import type { SearchContext } from './search-context.js';
import { codeOf, indexOf, ordered, type Found } from './unit.js';

/** A search would compare more postings in memory than it may. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/**
 * Finds transactions or blocks at published heights that have no rows yet, from `from` on: their postings are computed
 * in memory, and equal the rows that a running batch adds meanwhile.
 */
export async function tailFound(
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
    // A block without postings costs work too, so it counts.
    left -= 1 + postings.length;
    if (left < 0) throw new BudgetSpent('search budget is spent');
    for (const index of carriersIn(postings, scansOf(kind, plan))) found.push({ height, index });
    compared += postings.length;
    // To read a block with transactions takes a few milliseconds.
    if (compared < FIXED_LIMITS.searchedAtOnce && (block?.txs.length ?? 0) === 0) continue;
    compared = 0;
    await pause();
  }
  return found;
}

/** Indices of the transactions with an event that satisfies every scan, ascending; 0 for the block itself. */
function carriersIn(postings: readonly Posting[], scans: readonly Scan[]): ReadonlySet<number> {
  let survivors: ReadonlySet<number> | undefined;
  for (const scan of scans) {
    const found = new Set<number>();
    for (const { key, value, index, event } of postings) {
      const code = codeOf(index, event);
      if (survivors !== undefined && !survivors.has(code)) continue;
      if ([scan, ...(scan.or === undefined ? [] : [scan.or])].some((one) => hasKey(one, key) && one.accepts(value)))
        found.add(code);
    }
    survivors = found;
  }
  return new Set(ordered([...(survivors ?? [])]).map(indexOf));
}
