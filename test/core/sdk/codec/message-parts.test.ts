/** How the parts of an encoded message are counted. */
import { create, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceededTxLimit, hasMoreParts } from '../../../../src/core/sdk/codec/message-parts.js';
import { DEFAULT_LIMITS } from '../../../../src/core/limits/limits.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MultiSignatureSchema } from '../../../../src/core/proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import { ParamsSchema } from '../../../../src/core/proto/cosmos/evm/vm/v1/evm_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { anyOf } from '../../../support/sign-tx.js';
import { empties } from './empties.js';

const MAXIMUM = DEFAULT_LIMITS.messageParts;
const coins = (count: number) => Array.from({ length: count }, () => ({}));

describe('the parts of a message', () => {
  it('are its fields and those of its inner messages', () => {
    const bytes = toBinary(
      MsgSendSchema,
      create(MsgSendSchema, {
        fromAddress: 'a',
        toAddress: 'b',
        amount: [{ denom: 'x', amount: '1' }, { denom: 'y' }],
      }),
    );
    expect(hasMoreParts(MsgSendSchema, bytes, 7)).toBe(false);
    expect(hasMoreParts(MsgSendSchema, bytes, 6)).toBe(true);
  });

  it.each([
    ['type before value', (type: Uint8Array, value: Uint8Array) => [type, value]],
    ['value before type', (type: Uint8Array, value: Uint8Array) => [value, type]],
  ])('include those inside an Any: %s', (_name, order) => {
    const type = toBinary(AnySchema, create(AnySchema, { typeUrl: '/cosmos.bank.v1beta1.MsgSend' }));
    const value = toBinary(AnySchema, create(AnySchema, { value: empties(3, 50) }));
    const bytes = Buffer.concat(order(type, value));
    expect(hasMoreParts(AnySchema, bytes, 52)).toBe(false);
    expect(hasMoreParts(AnySchema, bytes, 51)).toBe(true);
  });

  it('include the numbers of a packed list, which may be a byte each', () => {
    const field = ParamsSchema.fields.find(({ name }) => name === 'extra_eips')?.number ?? 0;
    const bytes = new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(new Uint8Array(50)).finish();
    expect(hasMoreParts(ParamsSchema, bytes, 51)).toBe(false);
    expect(hasMoreParts(ParamsSchema, bytes, 50)).toBe(true);
  });

  it('include fields with unknown numbers', () => {
    expect(hasMoreParts(MsgSendSchema, empties(500, 11), 10)).toBe(true);
  });

  it('can be counted in any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(hasMoreParts(TxRawSchema, bytes, 200)).toBe(false);
      }),
    );
  });

  it('of a transaction are those of its body, its signers and the members of its signatures', () => {
    const tx = (parts: { bodyBytes?: Uint8Array; authInfoBytes?: Uint8Array; signatures?: Uint8Array[] }): Uint8Array =>
      toBinary(TxRawSchema, create(TxRawSchema, parts));
    expect(
      exceededTxLimit(
        tx({
          bodyBytes: toBinary(
            TxBodySchema,
            create(TxBodySchema, { messages: [anyOf(MsgSendSchema, { amount: coins(MAXIMUM) })] }),
          ),
        }),
      ),
    ).toBe('messageParts');
    expect(
      exceededTxLimit(
        tx({ authInfoBytes: toBinary(AuthInfoSchema, create(AuthInfoSchema, { signerInfos: coins(MAXIMUM) })) }),
      ),
    ).toBe('messageParts');
    expect(
      exceededTxLimit(
        tx({
          signatures: [
            toBinary(
              MultiSignatureSchema,
              create(MultiSignatureSchema, { signatures: coins(MAXIMUM).map(() => new Uint8Array()) }),
            ),
          ],
        }),
      ),
    ).toBe('messageParts');
    expect(exceededTxLimit(tx({ signatures: coins(MAXIMUM).map(() => new Uint8Array()) }))).toBeUndefined();
  });
});
