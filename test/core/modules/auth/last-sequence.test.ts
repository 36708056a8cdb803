/**
 * A sequence has 64 bits: the sequence after the last one (SDK `IncrementSequenceDecorator`, which counts in a uint64).
 */
import { toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { requireAddress } from '../../../../src/core/sdk/codec/address.js';
import { accountKey, decodeAccount, packAccount, STORE, withBase } from '../../../../src/core/modules/auth/accounts.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { account, codes, DevChain, signed } from '../../app/dev-chain.js';
import { stateOf } from '../../app/support.js';

const LAST = 2n ** 64n - 1n;

it('the sequence of an account wraps to 0 after 2^64 - 1', () => {
  const dev = new DevChain();
  const key = accountKey(requireAddress('chron', account(0).address, 'invalid address'));
  const stored = (): ReturnType<typeof decodeAccount> => decodeAccount(dev.state.get(STORE, key) ?? new Uint8Array());
  dev.state = stateOf(
    [{ store: STORE, key, value: toBinary(AnySchema, packAccount(withBase(stored(), { sequence: LAST }))) }],
    dev.state,
  );
  const send = (sequence: bigint): Uint8Array =>
    signed(0, sequence, MsgSendSchema, {
      fromAddress: account(0).address,
      toAddress: account(1).address,
      amount: [{ denom: 'achr', amount: '1' }],
    });

  expect(codes(dev.block(send(LAST)))).toEqual([0]);
  expect(stored().base.sequence).toBe(0n);
  expect(codes(dev.block(send(0n)))).toEqual([0]);
});
