/**
 * Pagination of lists (cosmos-sdk v0.53 `types/query`): 100 entries by default, at most `pageRows`; `next_key`
 * continues. The SDK has no maximum, so one response can block a node there for seconds. Without a limit the total is
 * counted. Page keys are store keys without the list's prefix. `paginate` is for the SDK's older lists,
 * `paginateCollection` for its collections: they differ beyond the end, and for page keys that are no entry's.
 */
import { create } from '@bufbuild/protobuf';
import { DEFAULT_LIMITS } from '../../limits/limits.js';
import {
  PageResponseSchema,
  type PageRequest,
  type PageResponse,
} from '../../proto/cosmos/base/query/v1beta1/pagination_pb.js';
import { rangeAfter, type StateEntry, type StateReader } from '../../state/state.js';
import { concat, EMPTY } from '../../bytes/bytes.js';
import { keyAfter, prefixEnd, prefixRange } from '../../bytes/key-order.js';
import { MeteredStore } from './gas.js';
import { grpcError, plainError, type SdkError } from './sdk-error.js';

const DEFAULT_LIMIT = 100n;
const MAXIMUM = BigInt(DEFAULT_LIMITS.pageRows);

export interface Page<Row> {
  readonly rows: Row[];
  readonly page: PageResponse;
}

/** Creates the error for an invalid page request; default: an error with that text. */
export type PageRefusal = (text: string) => SdkError;

/** Page error of queries that respond with status Internal. */
export const internalPage: PageRefusal = (text) => grpcError('Internal', text);

/** Entries of a store under a prefix. */
export interface PagedList {
  readonly context: { readonly store: StateReader };
  readonly store: string;
  readonly prefix: Uint8Array;
  readonly refuse?: PageRefusal;
  /** True when no entry is filtered out: entries outside of the page are counted without decoding. */
  readonly isWhole?: true;
}

/** A page request with defaults applied. */
interface PageBounds {
  readonly key: Uint8Array;
  readonly offset: bigint;
  readonly limit: bigint;
  readonly countTotal: boolean;
  readonly reverse: boolean;
}

function boundsOf(request: PageRequest | undefined, refuse: PageRefusal): PageBounds {
  const { key, offset, limit, countTotal, reverse } = { ...FIRST_PAGE, ...request };
  if (key.length > 0 && offset > 0n) throw refuse('invalid request, either offset or key is expected, got both');
  const rows = limit === 0n ? DEFAULT_LIMIT : limit;
  return {
    key,
    offset,
    limit: rows < MAXIMUM ? rows : MAXIMUM,
    countTotal: key.length === 0 && (limit === 0n || countTotal),
    reverse,
  };
}

/** Larger than the number of entries of any list. */
const ALL = 2n ** 64n;
const FIRST_PAGE = { key: EMPTY, offset: 0n, limit: 0n, countTotal: false, reverse: false };

/**
 * One page of the entries under `prefix` (`Paginate` and `FilteredPaginate`). `decode` returns undefined to filter
 * out an entry; `next_key` is the next entry's key, even if that entry is filtered out.
 */
export function paginate<Row>(
  { context, store, prefix, refuse = plainError, isWhole }: PagedList,
  request: PageRequest | undefined,
  decode: (entry: StateEntry) => Row | undefined,
): Page<Row> {
  const { key, offset, limit, countTotal, reverse } = boundsOf(request, refuse);
  const hasKey = key.length > 0;
  const rows: Row[] = [];
  let nextKey: Uint8Array = EMPTY;
  const counts = isWhole === true ? () => true : (entry: StateEntry) => decode(entry) !== undefined;
  const whole = plainRange(context.store, store, prefix, key, reverse);
  const before = offset === 0n ? undefined : context.store.pass?.(store, whole, counts, offset);
  let seen = before?.count ?? 0n;
  const range = before === undefined ? whole : before.rest;
  for (const entry of range === undefined ? [] : context.store.range(store, range)) {
    if (hasKey && seen === limit) {
      nextKey = entry.key.slice(prefix.length);
      break;
    }
    const row = decode(entry);
    if (row === undefined) continue;
    seen += 1n;
    if (seen <= offset) continue;
    if (seen <= offset + limit) {
      rows.push(row);
      continue;
    }
    if (nextKey.length === 0) nextKey = entry.key.slice(prefix.length);
    if (!countTotal) break;
    if (seen !== offset + limit + 1n) continue;
    const following = context.store.pass?.(store, rangeAfter(whole, entry.key), counts, ALL);
    if (following === undefined) continue;
    seen += following.count;
    break;
  }
  return { rows, page: create(PageResponseSchema, { nextKey, total: countTotal ? seen : 0n }) };
}

/** In reverse, a page begins with the first entry at or after its key; without a key, with the last entry. */
function plainRange(reader: StateReader, store: string, prefix: Uint8Array, key: Uint8Array, reverse: boolean) {
  const range = prefixRange(prefix, reverse);
  if (key.length === 0) return range;
  const start = concat(prefix, key);
  if (!reverse) return { ...range, start };
  const [first, second] = firstTwo(reader.range(store, { ...prefixRange(prefix), start }));
  if (first === undefined) return range;
  if (second !== undefined) return { ...range, end: second.key };
  if (reader instanceof MeteredStore) reader.atLastPage();
  return { ...range, end: keyAfter(first.key) };
}

/** Like the SDK, reads the entry after the first too, which consumes gas. */
function firstTwo(entries: Iterable<StateEntry>): readonly StateEntry[] {
  const found: StateEntry[] = [];
  for (const entry of entries) if (found.push(entry) === 2) break;
  return found;
}

/**
 * One page of a collection (`CollectionPaginate` and `CollectionFilteredPaginate`). The offset also counts
 * filtered-out entries; beyond the last entry the page is empty and has no total.
 */
export function paginateCollection<Row>(
  { context, store, prefix, refuse = plainError, isWhole }: PagedList,
  request: PageRequest | undefined,
  decode: (entry: StateEntry) => Row | undefined,
): Page<Row> {
  const { key, offset, limit, countTotal, reverse } = boundsOf(request, refuse);
  const rows: Row[] = [];
  let nextKey: Uint8Array = EMPTY;
  const counts = isWhole === true ? () => true : (entry: StateEntry) => decode(entry) !== undefined;
  const whole = collectionRange(prefix, key, reverse);
  const before = offset === 0n ? undefined : context.store.pass?.(store, whole, () => true, offset);
  let passed = before?.count ?? 0n;
  let seen = 0n;
  const range = before === undefined ? whole : before.rest;
  for (const entry of range === undefined ? [] : context.store.range(store, range)) {
    if (passed < offset) {
      passed += 1n;
      continue;
    }
    if (seen === limit && key.length === 0) {
      nextKey = entry.key.slice(prefix.length);
      if (!countTotal) break;
    }
    const row = decode(entry);
    if (row === undefined) continue;
    if (seen === limit && key.length > 0) {
      nextKey = entry.key.slice(prefix.length);
      break;
    }
    seen += 1n;
    if (seen <= limit) rows.push(row);
    if (seen !== limit + 1n) continue;
    const following = context.store.pass?.(store, rangeAfter(whole, entry.key), counts, ALL);
    if (following === undefined) continue;
    seen += following.count;
    break;
  }
  const total = countTotal && passed === offset ? seen + offset : 0n;
  return { rows, page: create(PageResponseSchema, { nextKey, total }) };
}

/** In reverse, a page begins with the last entry whose key equals, starts with, or precedes the page key. */
function collectionRange(prefix: Uint8Array, key: Uint8Array, reverse: boolean) {
  const range = prefixRange(prefix, reverse);
  if (key.length === 0) return range;
  const start = concat(prefix, key);
  if (!reverse) return { ...range, start };
  const end = prefixEnd(start);
  return end === undefined ? range : { ...range, end };
}
