import { equal } from '../../core/bytes/bytes.js';
import { hex } from '../../core/bytes/hex.js';
import { txHash } from '../../core/comet/body-hash.js';
import type { Limits } from '../../core/limits/limits.js';
import { checksumAddress } from '../../core/keys/address.js';
import type { ChainQueries, Outcome } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { type Height, toHeight } from '../../core/primitives.js';
import type { EthereumBlocks } from './blocks.js';

export interface BlocksOfOptions {
  readonly crypto: Crypto;
  readonly ledger: Pick<ChainQueries, 'searchTxs'>;
  readonly blocks: Pick<EthereumBlocks, 'candidates'>;
  readonly limits: Pick<Limits, 'searchRows'>;
}

/**
 * Heights in a range, ascending, whose blocks may have a transaction from or to an account, a frame that touched it,
 * or a log of it. Senders and recipients come from the index of cosmos/evm's events (v0.6
 * `x/vm/keeper/msg_server.go`), the rest from the indexes of logs and touched addresses. Fails with `limit-exceeded`
 * if the range has too many transactions or blocks.
 */
export async function blocksOf(
  account: Uint8Array,
  from: Height,
  to: Height,
  { crypto, ledger, blocks, limits }: BlocksOfOptions,
): Promise<Outcome<readonly Height[]>> {
  const heights = new Set<bigint>();
  const queries = [`message.sender='0x${hex(account)}'`, `ethereum_tx.recipient='${checksumAddress(crypto, account)}'`];
  for (const query of queries) {
    const within = `${query} AND tx.height >= ${from} AND tx.height <= ${to}`;
    const found = await ledger.searchTxs(within, { offset: 0, limit: limits.searchRows, descending: false });
    if (!found.ok) return found;
    const { total, items } = found.value;
    if (total > items.length)
      return { ok: false, error: { code: 'limit-exceeded', limit: 'searchRows', maximum: limits.searchRows } };
    for (const { height } of items) heights.add(height);
  }
  for (const search of [
    () => blocks.candidates(from, to, [account], []),
    () => blocks.candidates(from, to, [], [], [account]),
  ]) {
    const found = await search();
    if (!found.ok) return found;
    for (const height of found.value) heights.add(height);
  }
  return { ok: true, value: [...heights].sort((left, right) => Number(left - right)).map(toHeight) };
}

/** Consensus hashes of the transactions of a block in which a frame touched the account. */
export function touching(
  account: Uint8Array,
  height: Height,
  { crypto, ledger }: { readonly crypto: Crypto; readonly ledger: Pick<ChainQueries, 'touched' | 'block'> },
): readonly Uint8Array[] {
  const found = ledger.touched(height).filter(({ addresses }) => addresses.some((one) => equal(one, account)));
  if (found.length === 0) return [];
  const txs = ledger.block(height)?.block.data?.txs ?? [];
  return found.flatMap(({ index }) => txs.slice(index, index + 1).map((tx) => txHash(crypto, tx)));
}
