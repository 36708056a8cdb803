/** Log range: the blocks of `eth_getLogs` and `eth_newFilter` (geth v1.17 `eth/filters/api.go`). */
import type { EthereumApi } from '../../core/ethereum/api.js';
import { type Height, toHeight } from '../../core/primitives.js';
import { invalidParams, rpcErrorOf } from './errors.js';
import { failed } from './method.js';
import { type BlockNumberRef, isPending } from './params/block-ref.js';
import type { RawCriteria } from './params/criteria.js';
import { isPruned, type Resolved } from './resolve.js';

/** The error for a range that ends before it begins. */
export const INVALID_RANGE = invalidParams('invalid block range params');
const PENDING = invalidParams('pending logs are not supported');
const BEYOND_HEAD = invalidParams('block range extends beyond current head block');

/** Resolves the bounds of a search; a missing bound means the head. */
export function searchRange(
  api: EthereumApi,
  { from, to }: Pick<RawCriteria, 'from' | 'to'>,
): Resolved<{ readonly from: Height; readonly to: Height }> {
  if (isPending(from) || isPending(to)) return failed(PENDING);
  const head = api.blockNumber();
  const first = numberOf(api, from) ?? head;
  const last = numberOf(api, to) ?? head;
  if (first > last) return failed(INVALID_RANGE);
  if (last > head) return failed(BEYOND_HEAD);
  return prunedOr(api, first, { from: toHeight(first), to: toHeight(last) });
}

/** Resolves the bounds of a filter. An undefined bound is open: without a lower bound the filter starts now. */
export function filterRange(
  api: EthereumApi,
  { from, to }: Pick<RawCriteria, 'from' | 'to'>,
): Resolved<{ readonly fromBlock: Height | undefined; readonly toBlock: Height | undefined }> {
  if (isPending(from) || isPending(to)) return failed(PENDING);
  const first = numberOf(api, from);
  const last = numberOf(api, to);
  const inOrder = first === undefined ? last === undefined : last === undefined || first <= last;
  if (!inOrder) return failed(INVALID_RANGE);
  return prunedOr(api, first, {
    fromBlock: first === undefined ? undefined : toHeight(first),
    toBlock: last === undefined ? undefined : toHeight(last),
  });
}

/** The number of a reference; undefined for tags that mean the head, because blocks are final at once. */
function numberOf(api: EthereumApi, ref: BlockNumberRef | undefined): bigint | undefined {
  if (ref?.kind === 'number') return ref.number;
  return ref?.tag === 'earliest' ? api.earliestBlock() : undefined;
}

function prunedOr<Value>(api: EthereumApi, first: bigint | undefined, value: Value): Resolved<Value> {
  const lowest = api.earliestBlock();
  return first !== undefined && isPruned(api, first)
    ? failed(rpcErrorOf({ code: 'height-pruned', height: first, lowest }))
    : { ok: true, value };
}
