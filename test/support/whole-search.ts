import type { SearchResult, SearchSlice } from '../../src/core/node-api.js';

/** Everything that a search finds, ascending. */
export const WHOLE: SearchSlice = { offset: 0, limit: 1_000_000, descending: false };

/** A slice of items that are ascending. */
export function sliceOfAll<Item>(
  items: readonly Item[],
  { offset, limit, descending }: SearchSlice,
): SearchResult<Item> {
  const inOrder = descending ? items.toReversed() : items;
  return { total: items.length, items: inOrder.slice(offset, offset + limit) };
}
