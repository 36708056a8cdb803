/** A state of many accounts in anvil's form, which is compressed while it is written. */
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { be64 } from '../../../src/core/bytes/big-endian.js';
import type { EthereumAccountState } from '../../../src/core/ethereum/account-state.js';
import { genesisEthereumBlock } from '../../../src/core/ethereum/block-of.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { writeState } from '../../../src/node/dev/state-text.js';
import { crypto } from '../../core/app/support.js';

const COUNT = 2 * FIXED_LIMITS.devStateTurnValues + 1;
const block = genesisEthereumBlock(crypto, { timestamp: 1n, baseFeePerGas: 1n, maxGas: 1n, hash: new Uint8Array(32) });
const accounts = Array.from({ length: COUNT }, (_, number): EthereumAccountState => {
  const address = new Uint8Array(20);
  address.set(be64(BigInt(number)));
  return { address, nonce: BigInt(number), balance: 1n, code: new Uint8Array(), slots: [] };
});

it('writeState writes every account once, pauses in between, and refuses a text above its limit', async () => {
  let pauses = 0;
  const pause = async (): Promise<void> => void (pauses += 1);
  const written = await writeState(block, accounts, 10_000_000, pause);
  const state = JSON.parse(gunzipSync(written ?? new Uint8Array()).toString());
  expect(Object.keys(state)).toEqual([
    ...['block', 'accounts', 'best_block_number', 'blocks', 'transactions', 'historical_states'],
  ]);
  expect(Object.values(state.accounts)).toHaveLength(COUNT);
  expect(Object.values<{ readonly nonce: number }>(state.accounts).at(-1)?.nonce).toBe(COUNT - 1);
  expect(pauses).toBe(2);
  expect(await writeState(block, accounts, 100_000, pause)).toBeUndefined();
});
