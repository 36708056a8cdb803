import type { SearchSlice } from '../../core/node-api.js';
import type { PageRequest } from '../../core/proto/cosmos/base/query/v1beta1/pagination_pb.js';
import { refusal, STATUS, type Refusal } from './status.js';

/**
 * The text of CometBFT for a page beyond the last of `total` items in pages of `size`, numbered from 1; undefined for a
 * page that exists (v0.38 `rpc/core/env.go` validatePage).
 */
export function pageProblem(total: number, page: bigint, size: number): string | undefined {
  const pages = Math.max(1, Math.ceil(total / size));
  return page < 1n || page > BigInt(pages) ? `page should be within [1, ${pages}] range, given ${page}` : undefined;
}

/** A page of items that are all at hand, or the problem of the page. */
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

/** The items of a page as a slice of all; of a page that no chain is long enough for, one after them. */
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

/** An unsigned number of 64 bits as Go's `int`, which makes the upper half negative. */
export function goInt(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

/**
 * Number (from 1) and size of the page that a page request means in lists of CometBFT (cosmos-sdk v0.53
 * `types/query/pagination.go` ParsePagination, whose texts the refusals have).
 */
export function numberedPage(request: PageRequest | undefined, byDefault: number): AskedPage | Refusal {
  const offset = goInt(request?.offset ?? 0n);
  const limit = goInt(request?.limit ?? 0n);
  if (offset < 0n) return refusal(STATUS.invalidArgument, 'offset must greater than 0');
  if (limit < 0n) return refusal(STATUS.invalidArgument, 'limit must greater than 0');
  const size = limit === 0n ? BigInt(byDefault) : limit;
  return { ok: true, page: offset / size + 1n, size };
}

/** The size of a page that a client requests, at most `largest` without an error. */
export function pageSize(requested: bigint, largest: number): number {
  return requested < BigInt(largest) ? Number(requested) : largest;
}
