/** Finds blocks in which an account changed: by binary search over its state, or by the index. */
import type { EthereumApi } from '../../core/ethereum/api.js';
import type { EthereumBlock, EthereumBlockTransaction } from '../../core/ethereum/block-view.js';
import { equal } from '../../core/bytes/bytes.js';
import type { Outcome } from '../../core/node-api.js';
import { type Height, toHeight } from '../../core/primitives.js';
import { rpcErrorOf } from './errors.js';
import { keptBlock, type Resolved } from './resolve.js';
import { max, min } from '../../core/bigint.js';

/**
 * Binary search for the first height at which `test` holds; once true, it must stay true. Undefined if it does not
 * hold at the head. Fails if the height is below the oldest kept state.
 */
export function firstHeight(
  api: Pick<EthereumApi, 'blockNumber' | 'earliestState' | 'firstBlock'>,
  test: (height: Height) => Outcome<boolean>,
): Resolved<Height | undefined> {
  const lowest = api.earliestState();
  let low: bigint = lowest;
  let high: bigint = api.blockNumber();
  const atHead = test(toHeight(high));
  if (!atHead.ok) return { ok: false, error: rpcErrorOf(atHead.error) };
  if (!atHead.value) return { ok: true, value: undefined };
  while (low < high) {
    const middle = (low + high) / 2n;
    const passed = test(toHeight(middle));
    if (!passed.ok) return { ok: false, error: rpcErrorOf(passed.error) };
    if (passed.value) high = middle;
    else low = middle + 1n;
  }
  if (low === lowest && lowest >= api.firstBlock())
    return { ok: false, error: rpcErrorOf({ code: 'state-pruned', height: lowest - 1n, lowest }) };
  return { ok: true, value: toHeight(low) };
}

/** Number of blocks of the first index search; the span grows while few blocks are found. */
const FIRST_SPAN = 1_024n;
/** Factor by which the span grows, or shrinks if there were too many blocks for one search. */
const WIDER = 4n;
/** The span stops growing when a search finds this many blocks. */
const MANY = 64;

/**
 * Yields heights of blocks that may involve an account (`EthereumApi.blocksOf`), in order, from a height towards the
 * first block or the head. Reads the index lazily. The last item may be an error.
 */
export async function* blocksFrom(
  api: Pick<EthereumApi, 'blocksOf' | 'earliestBlock' | 'blockNumber'>,
  account: Uint8Array,
  from: bigint,
  direction: 'before' | 'after',
): AsyncGenerator<Outcome<Height>> {
  const [lowest, highest]: readonly [bigint, bigint] = [api.earliestBlock(), api.blockNumber()];
  const isDown = direction === 'before';
  let at = isDown ? min(from, highest) : max(from, lowest);
  for (let span = FIRST_SPAN; at >= lowest && at <= highest;) {
    const end = isDown ? max(at - span + 1n, lowest) : min(at + span - 1n, highest);
    const [low, high] = isDown ? [end, at] : [at, end];
    const found = await api.blocksOf(account, toHeight(low), toHeight(high));
    if (!found.ok && found.error.code === 'limit-exceeded' && span > 1n) {
      span /= WIDER;
      continue;
    }
    if (!found.ok) return yield found;
    for (const height of isDown ? found.value.toReversed() : found.value) yield { ok: true, value: height };
    at = isDown ? end - 1n : end + 1n;
    if (found.value.length < MANY) span *= WIDER;
  }
}

/** Finds the mined transaction of a sender by nonce. */
export function minedWithNonce(
  api: EthereumApi,
  sender: Uint8Array,
  nonce: bigint,
): Resolved<{ readonly block: EthereumBlock; readonly transaction: EthereumBlockTransaction } | undefined> {
  const height = firstHeight(api, (at) => {
    const account = api.account(sender, at);
    return account.ok ? { ok: true, value: account.value.nonce > nonce } : account;
  });
  if (!height.ok) return height;
  if (height.value === undefined) return { ok: true, value: undefined };
  const kept = keptBlock(api, height.value);
  if (!kept.ok) return kept;
  const block = kept.value;
  const transaction = block?.transactions.find((one) => one.transaction.nonce === nonce && equal(one.from, sender));
  return { ok: true, value: block === undefined || transaction === undefined ? undefined : { block, transaction } };
}
