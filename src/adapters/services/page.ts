import type { SearchSlice } from '../../core/node-api.js';
import type { PageRequest } from '../../core/proto/cosmos/base/query/v1beta1/pagination_pb.js';
import { refusal, STATUS, type Refusal } from './status.js';

/**
 * CometBFT's error for a page out of range, for `total` items in pages of `size`, from 1; undefined for a valid page
 * (v0.38 `rpc/core/env.go` validatePage).
 */
export function pageProblem(total: number, page: bigint, size: number): string | undefined {
  const pages = Math.max(1, Math.ceil(total / size));
  return page < 1n || page > BigInt(pages) ? `page should be within [1, ${pages}] range, given ${page}` : undefined;
}

/** Cuts a page out of all items, or returns the error. */
export function cometPage<Item>(
  items: readonly Item[],
  page: bigint,
  size: number,
): { readonly ok: true; readonly items: readonly Item[] } | { readonly ok: false; readonly problem: string } {
  const problem = pageProblem(items.length, page, size);
  if (problem !== undefined) return { ok: false, problem };
  const { offset, limit } = sliceOf(page, size, false);
  return { ok: true, items: items.slice(offset, offset + limit) };
}

/** The slice of a page; for a page number beyond any chain, an empty slice. */
export function sliceOf(page: bigint, size: number, descending: boolean): SearchSlice {
  const before = page < 1n ? 0n : (page - 1n) * BigInt(size);
  const last = BigInt(Number.MAX_SAFE_INTEGER) / 2n;
  return { offset: Number(before < last ? before : last), limit: size, descending };
}

/** Number (from 1) and size of a page that a client requests. */
export interface AskedPage {
  readonly ok: true;
  readonly page: bigint;
  readonly size: bigint;
}

/** Converts a uint64 to Go's `int`, where the upper half is negative. */
export function goInt(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

/**
 * Converts a page request to page number (from 1) and size for CometBFT lists, with the errors of cosmos-sdk v0.53
 * `types/query/pagination.go` ParsePagination.
 */
export function numberedPage(request: PageRequest | undefined, byDefault: number): AskedPage | Refusal {
  const offset = goInt(request?.offset ?? 0n);
  const limit = goInt(request?.limit ?? 0n);
  if (offset < 0n) return refusal(STATUS.invalidArgument, 'offset must greater than 0');
  if (limit < 0n) return refusal(STATUS.invalidArgument, 'limit must greater than 0');
  const size = limit === 0n ? BigInt(byDefault) : limit;
  return { ok: true, page: offset / size + 1n, size };
}

/** The requested page size, silently limited to `largest`. */
export function pageSize(requested: bigint, largest: number): number {
  return requested < BigInt(largest) ? Number(requested) : largest;
}
