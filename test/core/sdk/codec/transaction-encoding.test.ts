/**
 * The outer message of a transaction has one encoding, so that nobody can change its hash (ADR-027 of the Cosmos SDK,
 * `x/auth/tx/decoder.go` rejectNonADR027TxRaw). What is inside may be encoded in any way: its bytes are signed.
 */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, it } from 'vitest';
import { evmd } from '../../../../src/core/app/presets.js';
import { concat } from '../../../../src/core/bytes/bytes.js';
import { toBinary } from '@bufbuild/protobuf';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { TxBodySchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { MsgSoftwareUpgradeSchema } from '../../../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import { decodeTx } from '../../../../src/core/sdk/codec/decode-tx.js';
import { achr, any, person } from '../../app/properties/people.js';
import { refusalOf, tx } from '../../app/refusals/transactions.js';

/** Contents of the fields 1 to 3: body, signers with fee, signature. */
function contentsOf(bytes: Uint8Array): readonly [Uint8Array, Uint8Array, Uint8Array] {
  const reader = new BinaryReader(bytes);
  const next = (): Uint8Array => {
    reader.tag();
    return reader.bytes();
  };
  return [next(), next(), next()];
}

const [body, authInfo, signature] = contentsOf(tx({}));
const field = (number: number, content: Uint8Array): Uint8Array =>
  new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(content).finish();
/** A field with a length of one byte more than it needs. */
const long = (number: number, content: Uint8Array): Uint8Array => {
  const [tag = 0, ...rest] = field(number, content);
  const end = rest.findIndex((byte) => byte < 0x80);
  const length = rest.slice(0, end + 1).map((byte) => byte | 0x80);
  return concat(Uint8Array.of(tag, ...length, 0), content);
};
const refused = (...parts: readonly Uint8Array[]): string => {
  try {
    decodeTx(concat(...parts));
    return 'decoded';
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(': tx parse error', '') : '';
  }
};

describe('the outer message of a transaction', () => {
  const signatureField = field(3, signature);
  it.each<[string, readonly Uint8Array[], string]>([
    ['in order', [field(1, body), field(2, authInfo), signatureField], 'decoded'],
    ['with several signatures', [field(1, body), field(2, authInfo), signatureField, signatureField], 'decoded'],
    [
      'in another order',
      [field(2, authInfo), field(1, body), signatureField],
      'txRaw must follow ADR-027, got tagNum 1 after tagNum 2',
    ],
    [
      'with a signature first',
      [signatureField, field(1, body), field(2, authInfo)],
      'txRaw must follow ADR-027, got tagNum 1 after tagNum 3',
    ],
    [
      'with a long length',
      [long(1, body), field(2, authInfo), signatureField],
      'length prefix varint for tagNum 1 is not as short as possible, read 3, only need 2',
    ],
    [
      'with a long length of a signature',
      [field(1, body), field(2, authInfo), long(3, signature)],
      'length prefix varint for tagNum 3 is not as short as possible, read 2, only need 1',
    ],
    ['with a number', [Uint8Array.of(8, 1)], 'expected 2 wire type, got 0'],
    ['cut short', [field(1, body).subarray(0, -1)], 'invalid length; unexpected EOF'],
    ['cut short in a length', [Uint8Array.of(10, 0x80)], 'invalid length; unexpected EOF'],
    [
      'with a length without end',
      [Uint8Array.of(10, ...new Uint8Array(10).fill(0x80))],
      'invalid length; variable length integer overflow',
    ],
  ])('is decoded or refused as in the SDK: %s', (_, parts, outcome) => {
    expect(refused(...parts)).toBe(outcome);
  });
});

it('a transaction of two bodies is refused, and evmd reads the last one', () => {
  const two = concat(field(1, new Uint8Array()), field(1, body), field(2, authInfo), field(3, signature));
  const refusal = 'txRaw must follow ADR-027, got duplicate tagNum 1';
  expect(refusalOf(two)).toBe(`sdk 2: ${refusal}: tx parse error: tx parse error`);
  expect(refusalOf(two, evmd)).not.toContain('sdk 2: ');
});

it.each([
  [256, ' 0: '],
  [257, 'sdk 12: maximum number of characters is 256 but received 257 characters: memo too large'],
])('a memo of %i bytes that are no UTF-8 is measured in bytes', (length, outcome) => {
  const memo = field(2, new Uint8Array(length).fill(0xff));
  expect(refusalOf(concat(field(1, concat(body, memo)), field(2, authInfo), field(3, signature)))).toBe(outcome);
});

describe('a message in a transaction', () => {
  const { typeUrl, value } = any(MsgSendSchema, { fromAddress: person(0), toAddress: person(1), amount: [achr(1n)] });
  const sent = (bytes: Uint8Array): string =>
    refusalOf(tx({ body: { messages: [{ $typeName: 'google.protobuf.Any', typeUrl, value: bytes }] } }));

  it('may have lengths that are longer than needed, and fields in any order', () => {
    expect(sent(value)).toBe(' 0: ');
    const reader = new BinaryReader(value);
    const fields = [1, 2, 3].map((number) => {
      reader.tag();
      return [number, reader.bytes()] as const;
    });
    expect(sent(concat(...fields.toReversed().map(([number, content]) => long(number, content))))).toBe(' 0: ');
  });

  it('uses the last of several values of a field', () => {
    expect(sent(concat(field(2, new TextEncoder().encode('nobody')), value))).toBe(' 0: ');
    expect(sent(concat(value, field(2, new TextEncoder().encode('nobody'))))).toContain('invalid to address');
  });

  it('must have the type that its URL names', () => {
    const messages = [{ $typeName: 'google.protobuf.Any' as const, typeUrl: typeUrl.slice(1), value }];
    expect(refusalOf(tx({ body: { messages } }))).toContain(`unable to resolve type URL ${typeUrl.slice(1)}`);
    expect(
      sent(
        toBinary(TxBodySchema, {
          $typeName: 'cosmos.tx.v1beta1.TxBody',
          messages: [],
          memo: '',
          timeoutHeight: 5n,
          unordered: false,
          extensionOptions: [],
          nonCriticalExtensionOptions: [],
        }),
      ),
    ).toMatch(/^sdk 2: /);
  });
});

// found by `test/peer/messages`, seed 9012: the plan unpacks nothing (cosmossdk.io/x/upgrade v0.2.0)
it('the upgraded client state of a plan may be of any known type', () => {
  const upgradedClientState = any(MsgSendSchema, {});
  const upgrade = any(MsgSoftwareUpgradeSchema, { authority: person(0), plan: { name: 'v2', upgradedClientState } });
  expect(decodeTx(tx({ body: { messages: [upgrade] } }), new MessageRouter(evmd)).body.messages).toHaveLength(1);
  const unknown = any(MsgSoftwareUpgradeSchema, {
    plan: { upgradedClientState: { ...upgradedClientState, typeUrl: '/no.such.Message' } },
  });
  expect(() => decodeTx(tx({ body: { messages: [unknown] } }), new MessageRouter(evmd))).toThrow(
    'unable to resolve type URL /no.such.Message',
  );
});
