import { expect, it } from 'vitest';
import type { EthereumAccount } from '../../../src/core/ethereum/api.js';
import { ETHEREUM_LIMITS } from '../../../src/core/limits/limits.js';
import { HeadAccounts } from '../../../src/node/ethereum/head-accounts.js';

const addressOf = (index: number): Uint8Array => Uint8Array.of(index >> 8, index & 255);

function counting() {
  const accounts = new HeadAccounts();
  let reads = 0;
  const nonceAt = (head: object, index: number): bigint =>
    accounts.get(head, addressOf(index), (): EthereumAccount => {
      reads += 1;
      return { balance: 0n, nonce: BigInt(reads), codeHash: new Uint8Array(32) };
    }).nonce;
  return { nonceAt, reads: () => reads };
}

it('an account is read once per head', () => {
  const { nonceAt } = counting();
  const [first, second] = [{ height: 1 }, { height: 1 }];
  expect([nonceAt(first, 1), nonceAt(first, 2), nonceAt(first, 1)]).toEqual([1n, 2n, 1n]);
  expect([nonceAt(second, 1), nonceAt(first, 1)]).toEqual([3n, 4n]);
});

it('the cache of accounts has a maximum size', () => {
  const { nonceAt, reads } = counting();
  const head = {};
  const count = ETHEREUM_LIMITS.headAccounts + 10;
  for (let round = 0; round < 2; round += 1) for (let index = 0; index < count; index += 1) nonceAt(head, index);
  expect(reads()).toBe(count + 10);
});
