/**
 * Pages of lists (cosmos-sdk v0.53 `types/query`): 100 entries by default, at most `pageRows`, and `next_key` continues
 * (the SDK has no maximum, and one answer there can stop a node for seconds). Without a limit the total is counted.
 * Page keys are store keys after the list's prefix. Lists of the SDK's older kind are cut by `paginate`, those of its
 * collections by `paginateCollection`: the two differ beyond the end, and where a page key is not that of an entry.
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

/** Makes the error for an invalid page request; without one the text is an error of its own. */
export type PageRefusal = (text: string) => SdkError;

/** The refusal of queries that answer with the status Internal. */
export const internalPage: PageRefusal = (text) => grpcError('Internal', text);

/** The entries of a store under a prefix. */
export interface PagedList {
  readonly context: { readonly store: StateReader };
  readonly store: string;
  readonly prefix: Uint8Array;
  readonly refuse?: PageRefusal;
  /** No entry is left out: those before and after a page are counted without a look at them. */
  readonly isWhole?: true;
}

/** A page request with its defaults. */
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

/** More entries than any list has. */
const ALL = 2n ** 64n;
const FIRST_PAGE = { key: EMPTY, offset: 0n, limit: 0n, countTotal: false, reverse: false };

/**
 * One page of the entries under `prefix` (`Paginate` and `FilteredPaginate`). `decode` returns undefined for entries
 * that are left out; after a page key, the next one is that of the next entry, left out or not.
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

/** Backwards a page begins with the first entry that is not before its key; without one, with the last entry. */
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

/** The SDK reads the entry after the first as well, which costs gas. */
function firstTwo(entries: Iterable<StateEntry>): readonly StateEntry[] {
  const found: StateEntry[] = [];
  for (const entry of entries) if (found.push(entry) === 2) break;
  return found;
}

/**
 * One page of a collection (`CollectionPaginate` and `CollectionFilteredPaginate`). The offset counts entries that
 * `decode` leaves out as well; beyond the last entry the page is empty, without a total.
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

/** Backwards a page begins with the last entry whose key is the page key or begins with it, or is before it. */
function collectionRange(prefix: Uint8Array, key: Uint8Array, reverse: boolean) {
  const range = prefixRange(prefix, reverse);
  if (key.length === 0) return range;
  const start = concat(prefix, key);
  if (!reverse) return { ...range, start };
  const end = prefixEnd(start);
  return end === undefined ? range : { ...range, end };
}
