/** The account that pays out the faucet's coins. */
import { expect, test } from 'vitest';
import { withFaucet } from '../../../src/adapters/pages/faucet.js';

const AMOUNT = 100n;
const REQUEST = {
  method: 'POST',
  path: '/faucet',
  query: '',
  headers: new Map([['content-type', 'application/json']]),
  body: new TextEncoder().encode('{"address":"0x"}'),
};
const account = (byte: number): Uint8Array => new Uint8Array(20).fill(byte);

test.each([
  ['the last one', [500, 500, 500], '02'],
  ['the last one that has more than the gift, which is not free to send', [500, 101, 100, 0], '01'],
  ['the last one where nobody can, so that the pool says what it lacks', [0, 7], '01'],
])("%s pays the faucet's coins: %j", async (_rule, balances, payer) => {
  const paid: (string | undefined)[] = [];
  const faucet = withFaucet(
    {
      accounts: () => balances.map((_, index) => account(index)),
      balanceOf: ([byte = 0]) => BigInt(balances[byte] ?? 0),
      amount: AMOUNT,
      read: () => ({ ok: true, address: account(9) }),
      send: ({ from }) => (paid.push(from), Promise.resolve({ ok: true, hash: '0x' })),
      timers: { after: () => () => undefined, yield: () => Promise.resolve() },
    },
    () => Promise.reject(new Error('not for the faucet')),
  );
  expect(await faucet(REQUEST)).toMatchObject({ status: 200 });
  expect(paid).toEqual([`0x${payer.repeat(20)}`]);
});
