/** What is said of raw Ethereum transactions before they reach the mempool. */
import { expect, it } from 'vitest';
import { createSend } from '../../src/node/ethereum/send.js';
import { crypto } from '../app/support.js';

it('a transaction of more bytes than the pool takes is refused unread, in the words of the pool', async () => {
  const send = createSend({
    crypto, evmChainId: 1n, baseDenom: 'achr', limits: { txBytes: 100 }, isMined: () => false,
    mempool: { broadcast: () => Promise.reject(new Error('nothing is sent')) },
  });
  expect(await send(new Uint8Array(101))).toEqual({ ok: false, code: -32000, message: 'oversized data: transaction size 101, limit 100' });
  expect(await send(new Uint8Array(100))).toMatchObject({ ok: false, message: 'transaction type not supported' });
});
