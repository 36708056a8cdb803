/** The account that cannot sign in SIGN_MODE_DIRECT_AUX, as in evmd v0.6.0 (`test/peer/messages`, seed 9404). */
import type { Any } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { evmd } from '../../../../src/core/app/presets.js';
import { auxPayer } from '../../../../src/core/modules/auth/ante/aux-payer.js';
import { MsgMultiSendSchema, MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgConvertERC20Schema } from '../../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { MsgEditValidatorSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import { readTx } from '../../../../src/core/sdk/module/tx.js';
import { messageTypesOf } from '../../../../src/core/sdk/module/version-types.js';
import { anyOf } from '../../../support/sign-tx.js';
import { encode } from '../../../support/encode.js';

const ADDRESS = new Uint8Array(20).fill(7);
const HEX = `0x${'07'.repeat(20)}`;
const NAME = encodeAddress('cosmos', ADDRESS);
const OPERATOR = encodeAddress('cosmosvaloper', ADDRESS);
const router = new MessageRouter(evmd);

function payerOf(messages: readonly Any[], payer = ''): string | undefined {
  const bodyBytes = encode(TxBodySchema, { messages: [...messages] });
  const authInfoBytes = encode(AuthInfoSchema, { fee: { payer } });
  const raw = encode(TxRawSchema, { bodyBytes, authInfoBytes });
  return auxPayer(readTx(raw, router, 'cosmos'), messageTypesOf(evmd), 'cosmos');
}

test.each([
  ['of the first message', anyOf(MsgSendSchema, { fromAddress: NAME })],
  ['in capitals', anyOf(MsgSendSchema, { fromAddress: NAME.toUpperCase() })],
  ['of a part', anyOf(MsgMultiSendSchema, { inputs: [{ address: NAME }] })],
  ['by its operator address', anyOf(MsgEditValidatorSchema, { validatorAddress: OPERATOR })],
])('the aux payer is the first signer when the fee has no payer: %s', (_, message) => {
  expect(payerOf([message, anyOf(MsgSendSchema, { fromAddress: encodeAddress('cosmos', new Uint8Array(20)) })])).toBe(
    NAME,
  );
});

test.each([
  ['in hexadecimal', anyOf(MsgSendSchema, { fromAddress: HEX })],
  ['of a conversion, which is in hexadecimal', anyOf(MsgConvertERC20Schema, { sender: HEX })],
])('there is no aux payer when the first signer is not in bech32: %s', (_, message) => {
  expect(payerOf([message])).toBeUndefined();
});

test('the aux payer is the payer in the fee, in its own letters', () => {
  const message = anyOf(MsgSendSchema, { fromAddress: HEX });
  for (const payer of [NAME, NAME.toUpperCase(), HEX]) expect(payerOf([message], payer)).toBe(payer);
});
