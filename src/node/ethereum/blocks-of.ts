import { hex } from '../../core/bytes/hex.js';
import { checksumAddress } from '../../core/keys/address.js';
import type { ChainQueries, Outcome } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { type Height, toHeight } from '../../core/primitives.js';
import type { EthereumBlocks } from './blocks.js';

export interface BlocksOfOptions {
  readonly crypto: Crypto;
  readonly ledger: Pick<ChainQueries, 'searchTxs' | 'head'>;
  readonly blocks: Pick<EthereumBlocks, 'candidates'>;
}

/**
 * Heights of blocks that may have a transaction from or to an account, or a log of it, ascending: from the index of the
 * events of cosmos/evm v0.6 (`x/vm/keeper/msg_server.go`), which says senders and recipients, and the index of logs.
 */
export async function blocksOf(
  account: Uint8Array,
  { crypto, ledger, blocks }: BlocksOfOptions,
): Promise<Outcome<readonly Height[]>> {
  const heights = new Set<bigint>();
  const queries = [`message.sender='0x${hex(account)}'`, `ethereum_tx.recipient='${checksumAddress(crypto, account)}'`];
  for (const query of queries) {
    const found = await ledger.searchTxs(query);
    if (!found.ok) return found;
    for (const { height } of found.value) heights.add(height);
  }
  const logged = await blocks.candidates(toHeight(1n), ledger.head().height, [account], []);
  if (!logged.ok) return logged;
  for (const height of logged.value) heights.add(height);
  return { ok: true, value: [...heights].sort((left, right) => Number(left - right)).map(toHeight) };
}
