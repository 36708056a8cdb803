/** A plan without a time has Go's zero time in amino mode: evmd v0.6.0 accepts a signature over it. */
import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { MsgSoftwareUpgradeSchema } from '../../../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { AuthInfoSchema, TxBodySchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { packAny } from '../../../../src/core/sdk/codec/any.js';
import { KNOWN_TYPES } from '../../../../src/core/sdk/codec/known-types.js';
import { aminoSignBytes } from '../../../../src/core/sdk/signing/sign-amino.js';

const signed = (time: object): string => {
  const message = create(MsgSoftwareUpgradeSchema, { plan: { name: 'next', height: 5n, ...time } });
  const body = create(TxBodySchema, { messages: [packAny(MsgSoftwareUpgradeSchema, message)] });
  const facts = { chainId: '9001', accountNumber: 1n, sequence: 1n };
  return new TextDecoder().decode(aminoSignBytes(body, create(AuthInfoSchema, { fee: {} }), facts, KNOWN_TYPES));
};

test('an absent time is the zero time of Go in amino JSON', () => {
  expect(signed({})).toContain('"time":"0001-01-01T00:00:00Z"');
  expect(signed({ time: { seconds: 0n } })).toContain('"time":"1970-01-01T00:00:00Z"');
});
