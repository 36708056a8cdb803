/** Parts of an encoded message: how they are counted, and the refusals of too many (`messageParts`). */
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceededTxLimit, hasMoreParts } from '../../../../src/core/sdk/codec/message-parts.js';
import { DEFAULT_LIMITS } from '../../../../src/core/limits/limits.js';
import { QueryBalanceRequestSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/query_pb.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { LegacyAminoPubKeySchema } from '../../../../src/core/proto/cosmos/crypto/multisig/keys_pb.js';
import { MultiSignatureSchema } from '../../../../src/core/proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import { ParamsSchema } from '../../../../src/core/proto/cosmos/evm/vm/v1/evm_pb.js';
import { MsgSubmitProposalSchema } from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { anyOf } from '../../../support/sign-tx.js';
import { account, codes, DevChain, signed } from '../../app/dev-chain.js';

type AnyInit = MessageInitShape<typeof AnySchema>;

const SEND = '/cosmos.bank.v1beta1.MsgSend';
const MAXIMUM = DEFAULT_LIMITS.messageParts;
const coins = (count: number) => Array.from({ length: count }, () => ({}));

/** `count` fields of number `field` that are empty. */
function empties(field: number, count: number): Uint8Array {
  const writer = new BinaryWriter();
  for (let index = 0; index < count; index += 1) writer.tag(field, WireType.LengthDelimited).bytes(new Uint8Array());
  return writer.finish();
}

/** A send with this many empty coins. */
function sendOf(count: number): Uint8Array {
  return signed(
    0,
    0n,
    MsgSendSchema,
    { fromAddress: account(0).address, toAddress: account(1).address, amount: coins(count) },
    { gas: 10_000_000n },
  );
}

describe('the parts of a message', () => {
  it('are its fields and those of the messages in it', () => {
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
  ])('are also those behind an Any: %s', (_name, order) => {
    const type = toBinary(AnySchema, create(AnySchema, { typeUrl: '/cosmos.bank.v1beta1.MsgSend' }));
    const value = toBinary(AnySchema, create(AnySchema, { value: empties(3, 50) }));
    const bytes = Buffer.concat(order(type, value));
    expect(hasMoreParts(AnySchema, bytes, 52)).toBe(false);
    expect(hasMoreParts(AnySchema, bytes, 51)).toBe(true);
  });

  it('are the numbers of a packed list, which may be a byte each', () => {
    const field = ParamsSchema.fields.find(({ name }) => name === 'extra_eips')?.number ?? 0;
    const bytes = new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(new Uint8Array(50)).finish();
    expect(hasMoreParts(ParamsSchema, bytes, 51)).toBe(false);
    expect(hasMoreParts(ParamsSchema, bytes, 50)).toBe(true);
  });

  it('are fields of no known number too', () => {
    expect(hasMoreParts(MsgSendSchema, empties(500, 11), 10)).toBe(true);
  });

  it('can be asked of any bytes', () => {
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

describe('a transaction of too many parts', () => {
  const [few, many] = [sendOf(MAXIMUM - 100), sendOf(MAXIMUM)];

  it('is neither admitted nor simulated, and nothing of it is decoded', () => {
    const dev = new DevChain();
    const { app, state } = dev;
    const at = dev.at();
    const check = (tx: Uint8Array) => app.checkTx(app.createCheckState(state, at), tx);
    expect(app.describe(many)).toBeUndefined();
    expect(check(many)).toMatchObject({
      code: 21,
      codespace: 'sdk',
      log: `more than ${MAXIMUM} fields (limit messageParts): tx too large`,
    });
    expect(app.simulate(state, at, many)).toMatchObject({ ok: false, code: 21 });
    expect(app.describe(few)).toBeDefined();
    expect(check(few).code).toBe(0);
    expect(app.simulate(state, at, few)).toMatchObject({ ok: false, code: 10 });
  });

  it('is executed as any other when a block holds it', () => {
    expect(codes(new DevChain().block(many))).toEqual([10]);
  });
});

describe('a transaction of too many messages', () => {
  const { txMessages } = DEFAULT_LIMITS;
  const empty = (count: number): AnyInit[] => Array.from({ length: count }, () => ({ typeUrl: SEND }));
  const txOf = (messages: readonly AnyInit[]): Uint8Array =>
    toBinary(
      TxRawSchema,
      create(TxRawSchema, { bodyBytes: toBinary(TxBodySchema, create(TxBodySchema, { messages: [...messages] })) }),
    );
  const nested = (count: number): AnyInit => anyOf(LegacyAminoPubKeySchema, { publicKeys: empty(count) });

  const proposed = (count: number): AnyInit => anyOf(MsgSubmitProposalSchema, { messages: empty(count) });

  it.each([
    ['side by side', txOf(empty(txMessages)), txOf(empty(txMessages + 1))],
    ['within another one', txOf([nested(txMessages - 1)]), txOf([nested(txMessages)])],
    ['within a proposal of governance', txOf([proposed(txMessages - 1)]), txOf([proposed(txMessages)])],
  ])('%s is refused before it is decoded, with the limit', (_name, few, many) => {
    const dev = new DevChain();
    const check = (bytes: Uint8Array) => dev.app.checkTx(dev.app.createCheckState(dev.state, dev.at()), bytes);
    expect(exceededTxLimit(few)).toBeUndefined();
    expect(exceededTxLimit(many)).toBe('txMessages');
    expect(check(few).code).not.toBe(21);
    expect(check(many)).toMatchObject({
      code: 21,
      codespace: 'sdk',
      log: `more than ${txMessages} messages (limit txMessages): tx too large`,
    });
    expect(dev.app.describe(many)).toBeUndefined();
    expect(dev.app.simulate(dev.state, dev.at(), many)).toMatchObject({ ok: false, code: 21 });
    expect(codes(dev.block(many))).not.toContain(21);
  });
});

it('a query of too many parts is refused before it is decoded', () => {
  const dev = new DevChain();
  const ask = (count: number) =>
    dev.app.query(
      dev.state,
      dev.at(),
      '/cosmos.bank.v1beta1.Query/Balance',
      Buffer.concat([
        empties(9, count),
        toBinary(
          QueryBalanceRequestSchema,
          create(QueryBalanceRequestSchema, { address: account(0).address, denom: 'achr' }),
        ),
      ]),
    );
  expect(ask(MAXIMUM - 2)).toMatchObject({ ok: true });
  expect(ask(MAXIMUM - 1)).toMatchObject({
    ok: false,
    log: expect.stringContaining(`code = ResourceExhausted desc = limit messageParts (${MAXIMUM}) exceeded`),
  });
});
