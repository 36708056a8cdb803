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

/** The size of a page that a client requests, at most `largest` without an error. */
export function pageSize(requested: bigint, largest: number): number {
  return requested < BigInt(largest) ? Number(requested) : largest;
}
