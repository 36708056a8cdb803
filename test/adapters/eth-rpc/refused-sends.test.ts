/** Calls that the activity log reports as refused sends. */
import { expect, it } from 'vitest';
import type { RefusedSend } from '../../../src/core/activity/refused-send.js';
import { hexData } from '../../../src/core/bytes/hex.js';
import { encodeTransaction } from '../../../src/core/ethereum/transaction-codec.js';
import { SENDER, transfer } from './fake-node.js';
import { type Face, openFace } from './face.js';

function reportingFace(): { readonly face: Face; readonly reported: RefusedSend[] } {
  const reported: RefusedSend[] = [];
  return { face: openFace({ dev: true, onRefusedSend: (refused) => reported.push(refused) }), reported };
}

it('each method that sends a transaction of its caller is reported when it is refused', async () => {
  const { face, reported } = reportingFace();
  const sends = face.rpc.methods.filter((name) => /^(eth|personal)_(re)?send/.test(name));
  expect(sends).toEqual([
    'eth_resend',
    'eth_sendRawTransaction',
    'eth_sendRawTransactionConditional',
    'eth_sendRawTransactionSync',
    'eth_sendTransaction',
    'eth_sendTransactionSync',
    'eth_sendUnsignedTransaction',
    'personal_sendTransaction',
  ]);
  const from = hexData(SENDER);
  for (const name of sends) await face.callOtherwise(name, { from, nonce: 'x' });
  expect(reported.map(({ method, from: sender }) => [method, sender])).toEqual(sends.map((name) => [name, from]));
  expect(reported[0]?.reason).toMatch(/^invalid argument 0: /);
});

it('an admitted send is not reported, nor is any other call', async () => {
  const { face, reported } = reportingFace();
  expect((await face.call('eth_sendRawTransaction', hexData(encodeTransaction(transfer)))).error).toBeUndefined();
  for (const name of ['eth_signTransaction', 'eth_call', 'eth_fillTransaction', 'eth_none'])
    expect((await face.callOtherwise(name, { from: 'x' })).error).toBeDefined();
  expect(reported).toEqual([]);
});
