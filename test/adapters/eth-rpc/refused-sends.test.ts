/** Calls that the activity log reports as refused sends. */
import { expect, it } from 'vitest';
import type { RefusedSend } from '../../../src/core/activity/refused-send.js';
import { hexData } from '../../../src/core/bytes/hex.js';
import { encodeTransaction } from '../../../src/core/ethereum/transaction-codec.js';
import { SENDER, transfer } from './fake-node.js';
import { type Face, openFace } from './face.js';

function hearing(): { readonly face: Face; readonly heard: RefusedSend[] } {
  const heard: RefusedSend[] = [];
  return { face: openFace({ dev: true, onRefusedSend: (refused) => heard.push(refused) }), heard };
}

it('each method that sends a transaction of its caller is reported when it is refused', async () => {
  const { face, heard } = hearing();
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
  expect(heard.map(({ method, from: sender }) => [method, sender])).toEqual(sends.map((name) => [name, from]));
  expect(heard[0]?.reason).toMatch(/^invalid argument 0: /);
});

it('an admitted send is not reported, nor is any other call', async () => {
  const { face, heard } = hearing();
  expect((await face.call('eth_sendRawTransaction', hexData(encodeTransaction(transfer)))).error).toBeUndefined();
  for (const name of ['eth_signTransaction', 'eth_call', 'eth_fillTransaction', 'eth_none'])
    expect((await face.callOtherwise(name, { from: 'x' })).error).toBeDefined();
  expect(heard).toEqual([]);
});
