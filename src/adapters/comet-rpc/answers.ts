/** Answers, height checks and paging that several routes share (CometBFT v0.38 `rpc/core/env.go`). */
import type { DomainError } from '../../core/errors.js';
import type { ChainQueries } from '../../core/node-api.js';
import { type Height, toHeight } from '../../core/primitives.js';
import { cometPage } from '../services/page.js';
import { type RpcError, internalError } from './errors.js';
import type { Answer } from './method.js';
import { goJson } from '../raw-json.js';

/** A successful answer with `value` as its result. */
export function result(value: unknown): Answer {
  return { ok: true, json: goJson(value) };
}

/** An error answer. */
export function failed(error: DomainError | RpcError): Answer {
  return { ok: false, error };
}

type HeightRead = { readonly ok: true; readonly height: Height } | { readonly ok: false; readonly error: DomainError };

/**
 * Checks a requested height; undefined means `limit`. The limit is the head for stored blocks, and head + 1 for
 * validators and parameters, which are known one block ahead.
 */
export function readHeight(chain: ChainQueries, requested: bigint | undefined, limit: bigint): HeightRead {
  if (requested === undefined) return { ok: true, height: toHeight(limit) };
  if (requested <= 0n) return { ok: false, error: { code: 'height-not-positive', height: requested } };
  if (requested > limit) return { ok: false, error: { code: 'height-in-future', height: requested, head: limit } };
  const lowest = chain.earliestHeight();
  if (requested < lowest) return { ok: false, error: { code: 'height-pruned', height: requested, lowest } };
  return { ok: true, height: toHeight(requested) };
}

/** The answer for a height that was pruned after its check. */
export function gone(chain: ChainQueries, height: Height): Answer {
  return failed({ code: 'height-pruned', height, lowest: chain.earliestHeight() });
}

export interface PageLimits {
  readonly searchPerPageDefault: number;
  readonly searchPerPage: number;
}

/**
 * Page size: the default if undefined, else the requested number within the limits (CometBFT v0.38 `rpc/core/env.go`
 * validatePerPage).
 */
export function perPageOf(requested: bigint | undefined, limits: PageLimits): number {
  if (requested === undefined || requested < 1n) return limits.searchPerPageDefault;
  return requested > BigInt(limits.searchPerPage) ? limits.searchPerPage : Number(requested);
}

/** Cuts the requested page out of all matches. */
export function pageOf<Item>(
  items: readonly Item[],
  page: bigint | undefined,
  perPage: bigint | undefined,
  limits: PageLimits,
): { readonly ok: true; readonly items: readonly Item[] } | { readonly ok: false; readonly error: RpcError } {
  const slice = cometPage(items, page ?? 1n, perPageOf(perPage, limits));
  return slice.ok ? slice : { ok: false, error: internalError(slice.problem) };
}
