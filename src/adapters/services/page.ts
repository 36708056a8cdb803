import type { PageRequest } from '../../core/proto/cosmos/base/query/v1beta1/pagination_pb.js';
import { refusal, STATUS, type Refusal } from './status.js';

/**
 * A page of `size` items in the manner of CometBFT's RPC, numbered from 1 (v0.38 `rpc/core/env.go` validatePage).
 * `problem` is CometBFT's text for a page beyond the last.
 */
export function cometPage<Item>(
  items: readonly Item[],
  page: bigint,
  size: number,
): { readonly ok: true; readonly items: readonly Item[] } | { readonly ok: false; readonly problem: string } {
  const pages = Math.max(1, Math.ceil(items.length / size));
  if (page < 1n || page > BigInt(pages))
    return { ok: false, problem: `page should be within [1, ${pages}] range, given ${page}` };
  const start = (Number(page) - 1) * size;
  return { ok: true, items: items.slice(start, start + size) };
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
