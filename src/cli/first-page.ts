import type { QueryInput } from './unary.js';

/** The size of a page without flags. */
const DEFAULT_LIMIT = 100n;

/** The page of the paging flags: the first one without them; its total is counted on request only. */
export function firstPage({ pagination }: Pick<QueryInput, 'pagination'>) {
  return { pagination: { limit: DEFAULT_LIMIT, ...pagination.pagination } };
}
