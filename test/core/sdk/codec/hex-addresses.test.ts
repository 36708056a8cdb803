/** Hexadecimal addresses, which most messages accept: where evmd v0.6.0 refuses them, and what its events show. */
import { expect, it } from 'vitest';
import { MsgMultiSendSchema, MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { requireAddress } from '../../../../src/core/sdk/codec/address.js';
import { account, chain, codes, DevChain, only, refusal, signed } from '../../app/dev-chain.js';
import { toHex } from '../../app/support.js';

const [FROM, TO] = [account(0).address, account(1).address];
const hexOf = (name: string): string => `0x${toHex(requireAddress(chain.bech32Prefix, name, ''))}`;
const amount = [{ denom: 'achr', amount: '1' }];

it.each([hexOf(FROM), FROM.toUpperCase(), FROM])('the event of a message of %s names its sender in bech32', (name) => {
  const result = new DevChain().block(
    signed(0, 0n, MsgSendSchema, { fromAddress: name, toAddress: hexOf(TO), amount }),
  );
  expect(codes(result)).toEqual([0]);
  const actions = only(result).events.filter(({ attributes }) => attributes.some(({ key }) => key === 'action'));
  expect(actions.map(({ attributes }) => attributes.find(({ key }) => key === 'sender')?.value)).toEqual([FROM]);
});

it.each([
  [hexOf(FROM), TO, 'input'],
  [FROM, hexOf(TO), 'output'],
])('MsgMultiSend refuses a hexadecimal address: %s to %s', (from, to, side) => {
  const message = { inputs: [{ address: from, coins: amount }], outputs: [{ address: to, coins: amount }] };
  expect(refusal(new DevChain().block(signed(0, 0n, MsgMultiSendSchema, message)))).toMatch(
    `sdk 7: failed to execute message; message index: 0: invalid ${side} address: decoding bech32 failed: invalid `,
  );
});

// found against evmd v0.6.0 by `test/peer/messages`, seed 9425
it('events of MsgMultiSend name sender and receiver in the letters of the message', () => {
  const [from, to] = [FROM.toUpperCase(), TO.toUpperCase()];
  const message = { inputs: [{ address: from, coins: amount }], outputs: [{ address: to, coins: amount }] };
  const { events } = only(new DevChain().block(signed(0, 0n, MsgMultiSendSchema, message)));
  const last = events.findLast(({ type }) => type === 'transfer');
  expect(last?.attributes.map(({ value }) => value)).toEqual([to, from, '1achr', '0']);
});
