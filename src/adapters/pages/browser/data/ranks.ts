/** Rows of a long list by rank. The oldest row has rank 0, so ranks do not change when newer rows appear. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { generation, returns } from './store.js';

/** Rows per page. */
export const RANKS_PER_PAGE = 50;
/** Maximum number of cached pages. */
const MOST_PAGES = 40;
/** Scrolling pause before rows are requested, in milliseconds. */
const PAUSE_MS = 60;

interface Page<Value> {
  readonly values: readonly Value[];
  /** List length when the page was read; an incomplete page is read again. */
  readonly count: number;
}

interface Kept<Value> {
  readonly key: string;
  readonly pages: Map<number, Page<Value>>;
  failure: string | undefined;
}

/**
 * Returns the loaded rows by rank. `read` returns the rows of a page in ascending order. `subject` must contain
 * everything they depend on besides the chain.
 */
export function useRanks<Value>(
  subject: readonly unknown[],
  count: number,
  ranks: readonly number[],
  read: (page: number) => Promise<readonly Value[]>,
): { readonly valueOf: (rank: number) => Value | undefined; readonly failure: string | undefined } {
  const key = JSON.stringify([generation.value, ...subject]);
  const [, show] = useState(0);
  const kept = useRef<Kept<Value>>({ key, pages: new Map(), failure: undefined });
  if (kept.current.key !== key) kept.current = { key, pages: new Map(), failure: undefined };
  const { pages } = kept.current;
  const isWhole = (page: number): boolean => {
    const known = pages.get(page);
    return known !== undefined && (known.values.length === RANKS_PER_PAGE || known.count === count);
  };
  const missing = [...new Set(ranks.map((rank) => Math.floor(rank / RANKS_PER_PAGE)))].filter((page) => !isWhole(page));
  useEffect(() => {
    if (missing.length === 0) return undefined;
    const mine = kept.current;
    const take = async (page: number): Promise<void> => {
      try {
        mine.pages.set(page, { values: await read(page), count });
        mine.failure = undefined;
      } catch (error) {
        mine.failure = error instanceof Error ? error.message : String(error);
      }
      const [oldest] = mine.pages.keys();
      if (mine.pages.size > MOST_PAGES && oldest !== undefined) mine.pages.delete(oldest);
      if (mine === kept.current) show((turn) => turn + 1);
    };
    const timer = setTimeout(() => missing.forEach((page) => void take(page)), PAUSE_MS);
    return () => clearTimeout(timer);
    // a page whose read failed is read again when the node answers again
  }, [key, count, returns.value, missing.join(' ')]);
  return {
    valueOf: (rank) => pages.get(Math.floor(rank / RANKS_PER_PAGE))?.values[rank % RANKS_PER_PAGE],
    failure: kept.current.failure,
  };
}
