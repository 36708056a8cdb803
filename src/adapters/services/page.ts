import { refusal, STATUS, type Refusal, type StatusCode } from './status.js';

/**
 * A page in the manner of CometBFT's RPC: numbered from 1, at most `largest` items without an error; a page beyond the
 * last is refused with CometBFT's text, which the SDK returns after `prefix`.
 */
export function cometPage<Item>(
  items: readonly Item[],
  page: bigint,
  perPage: bigint,
  largest: number,
  refused: { readonly code: StatusCode; readonly prefix: string } = { code: STATUS.unknown, prefix: '' },
): { readonly ok: true; readonly items: readonly Item[] } | Refusal {
  const size = perPage < BigInt(largest) ? Number(perPage) : largest;
  const pages = Math.max(1, Math.ceil(items.length / size));
  if (page < 1n || page > BigInt(pages))
    return refusal(refused.code, `${refused.prefix}page should be within [1, ${pages}] range, given ${page}`);
  const start = (Number(page) - 1) * size;
  return { ok: true, items: items.slice(start, start + size) };
}
