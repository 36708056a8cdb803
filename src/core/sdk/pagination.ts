import { create } from '@bufbuild/protobuf';
import { DEFAULT_LIMITS } from '../limits.js';
import {
  PageResponseSchema,
  type PageRequest,
  type PageResponse,
} from '../proto/cosmos/base/query/v1beta1/pagination_pb.js';
import type { StateEntry, StateReader } from '../state/state.js';
import { concat, EMPTY } from '../bytes/bytes.js';
import { prefixRange } from '../bytes/key-order.js';
import { grpcError } from './sdk-error.js';

const DEFAULT_LIMIT = 100n;
const MAXIMUM = BigInt(DEFAULT_LIMITS.pageRows);

/**
 * One page of the entries under `prefix` (cosmos-sdk v0.53 `types/query/pagination.go`): 100 entries by default, at
 * most `pageRows`, and `next_key` continues (the SDK has no maximum, and one answer there can stop a node for seconds).
 * Without a page request the total is counted; page keys are store keys after `keyBase` (a prefix of `prefix`).
 * `decode` returns undefined for entries that are left out.
 */
export function paginate<Row>(
  reader: StateReader,
  store: string,
  prefix: Uint8Array,
  request: PageRequest | undefined,
  decode: (entry: StateEntry) => Row | undefined,
  keyBase: Uint8Array = prefix,
): { readonly rows: Row[]; readonly page: PageResponse } {
  const key = request?.key ?? EMPTY;
  const offset = request?.offset ?? 0n;
  if (key.length > 0 && offset > 0n)
    throw grpcError('Internal', 'invalid request, either offset or key is expected, got both');
  const wanted = request === undefined || request.limit === 0n ? DEFAULT_LIMIT : request.limit;
  const limit = wanted < MAXIMUM ? wanted : MAXIMUM;
  const countTotal = key.length === 0 && (request === undefined || request.limit === 0n || request.countTotal);

  const range = prefixRange(prefix, request?.reverse ?? false);
  const from = concat(keyBase, key);
  const bounded =
    key.length === 0
      ? range
      : range.reverse
        ? { ...range, end: concat(from, Uint8Array.of(0)) }
        : { ...range, start: from };

  const rows: Row[] = [];
  let nextKey: Uint8Array = EMPTY;
  let seen = 0n;
  for (const entry of reader.range(store, bounded)) {
    const row = decode(entry);
    if (row === undefined) continue;
    seen += 1n;
    if (seen <= offset) continue;
    if (seen <= offset + limit) {
      rows.push(row);
      continue;
    }
    if (nextKey.length === 0) nextKey = entry.key.slice(keyBase.length);
    if (!countTotal) break;
  }
  return { rows, page: create(PageResponseSchema, { nextKey, total: countTotal ? seen : 0n }) };
}
