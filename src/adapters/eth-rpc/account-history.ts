/** Finds blocks by what the state of an account says after each: searches by halves over heights. */
import type { EthereumApi } from '../../core/ethereum/api.js';
import type { EthereumBlock, EthereumBlockTransaction } from '../../core/ethereum/block-view.js';
import { equal } from '../../core/bytes/bytes.js';
import type { Outcome } from '../../core/node-api.js';
import { type Height, toHeight } from '../../core/primitives.js';
import { rpcErrorOf } from './errors.js';
import type { Resolved } from './resolve.js';

/**
 * The first height whose state passes a test that stays true once it is; undefined when the head does not pass it. One
 * that lies below the oldest state that is kept cannot be told, and is refused.
 */
export function firstHeight(
  api: Pick<EthereumApi, 'blockNumber' | 'earliestState'>,
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
  if (low === lowest && lowest > 0n)
    return { ok: false, error: rpcErrorOf({ code: 'state-pruned', height: lowest - 1n, lowest }) };
  return { ok: true, value: toHeight(low) };
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
