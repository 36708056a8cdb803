/** Finds blocks by what the state of an account says after each, or by what the index says of it. */
import type { EthereumApi } from '../../core/ethereum/api.js';
import type { EthereumBlock, EthereumBlockTransaction } from '../../core/ethereum/block-view.js';
import { equal } from '../../core/bytes/bytes.js';
import type { Outcome } from '../../core/node-api.js';
import { type Height, toHeight } from '../../core/primitives.js';
import { rpcErrorOf } from './errors.js';
import type { Resolved } from './resolve.js';
import { max, min } from '../../core/bigint.js';

/**
 * The first height whose state passes a test that stays true once it is; undefined when the head does not pass it. One
 * that lies below the oldest state that is kept cannot be told, and is refused.
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

/** Blocks of the first search for those of an account; the next ones span more while they find few. */
const FIRST_SPAN = 1_024n;
/** So much wider is the next one, or narrower where blocks were too many to be held. */
const WIDER = 4n;
/** Blocks that are many enough. */
const MANY = 64;

/**
 * Heights of blocks that may have to do with an account (`EthereumApi.blocksOf`), from one height on towards the first
 * block or the head, in order. Reads the index as far as it is asked. The last answer may be a failure.
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

/** The executed transaction of a sender with a nonce. */
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
  const block = height.value === undefined ? undefined : api.block(height.value);
  const transaction = block?.transactions.find((one) => one.transaction.nonce === nonce && equal(one.from, sender));
  return { ok: true, value: block === undefined || transaction === undefined ? undefined : { block, transaction } };
}
