/** Public keys are stored in Go's encoding, whatever form a message has: evmd v0.6.0 wrote these bytes. */
import { expect, it } from 'vitest';
import { concat } from '../../../../src/core/bytes/bytes.js';
import { getAccount } from '../../../../src/core/modules/auth/accounts.js';
import { getValidator } from '../../../../src/core/modules/staking/validators.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgCreateValidatorSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { encodeAddress, requireAddress } from '../../../../src/core/sdk/codec/address.js';
import { account, chain, codes, contextOf, DevChain, signed } from '../../app/dev-chain.js';

/** The key in a message: with a length of two bytes, with a tag of two bytes, and after another key. */
const FORMS: readonly (readonly [string, (key: Uint8Array) => Uint8Array])[] = [
  ['a long length', (key) => concat(Uint8Array.of(0x0a, 0x80 | key.length, 0), key)],
  ['a long tag', (key) => concat(Uint8Array.of(0x8a, 0, key.length), key)],
  ['another key before it', (key) => concat(plain(key.map((byte) => byte ^ 1)), plain(key))],
];
const plain = (key: Uint8Array): Uint8Array => concat(Uint8Array.of(0x0a, key.length), key);

it.each(FORMS)("the key of an account is stored in Go's encoding when it has %s", (_, form) => {
  const dev = new DevChain();
  const { address, key } = account(1);
  const message = { fromAddress: address, toAddress: address, amount: [{ denom: 'achr', amount: '1' }] };
  expect(codes(dev.block(signed(1, 0n, MsgSendSchema, message, { publicKey: form(key) })))).toEqual([0]);
  const stored = getAccount(contextOf(dev), requireAddress(chain.bech32Prefix, address, ''));
  expect(stored?.base.pubKey?.value).toEqual(plain(key));
});

it.each(FORMS)("the key of a validator is stored in Go's encoding when it has %s", (_, form) => {
  const dev = new DevChain();
  const operator = requireAddress(chain.bech32Prefix, account(1).address, '');
  const key = new Uint8Array(32).fill(5);
  const message = {
    description: { moniker: 'm' },
    commission: { rate: '0', maxRate: '0', maxChangeRate: '0' },
    minSelfDelegation: '1',
    validatorAddress: encodeAddress(`${chain.bech32Prefix}valoper`, operator),
    pubkey: { typeUrl: '/cosmos.crypto.ed25519.PubKey', value: form(key) },
    value: { denom: 'achr', amount: (10n ** 18n).toString() },
  };
  expect(codes(dev.block(signed(1, 0n, MsgCreateValidatorSchema, message)))).toEqual([0]);
  expect(getValidator(contextOf(dev), operator)?.consensusKey.value).toEqual(plain(key));
});
