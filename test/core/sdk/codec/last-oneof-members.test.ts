/** Repeated members of a `oneof`, as Go's generated decoders read them. */
import { type DescMessage, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { StakeAuthorizationSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/authz_pb.js';
import { SignMode } from '../../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import {
  AuthInfoSchema,
  ModeInfoSchema,
  SignerInfoSchema,
  TxBodySchema,
} from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { decodeMessage } from '../../../../src/core/sdk/codec/any.js';
import { keepLastOneofMembers } from '../../../../src/core/sdk/codec/last-oneof-members.js';
import { encode } from '../../../support/encode.js';

const bytesOf = <Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>): Uint8Array =>
  encode(schema, init);
const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
const field = (number: number, content: Uint8Array): Uint8Array =>
  new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(content).finish();

/** A multisig mode in which this many keys signed. */
const multi = (keys: number): Uint8Array =>
  bytesOf(ModeInfoSchema, {
    sum: {
      case: 'multi',
      value: {
        bitarray: { extraBitsStored: keys, elems: Uint8Array.of(0xff) },
        modeInfos: Array.from({ length: keys }, () => ({
          sum: { case: 'single' as const, value: { mode: SignMode.DIRECT } },
        })),
      },
    },
  });
const single = bytesOf(ModeInfoSchema, { sum: { case: 'single', value: { mode: SignMode.DIRECT } } });
const signers = (...modes: readonly Uint8Array[]) =>
  fromBinary(
    AuthInfoSchema,
    keepLastOneofMembers(AuthInfoSchema, field(1, join(bytesOf(SignerInfoSchema, { sequence: 7n }), ...modes))),
  ).signerInfos;

test('the last of several modes of a signer counts', () => {
  const of = (mode: Uint8Array) => ({ sequence: 7n, modeInfo: fromBinary(ModeInfoSchema, mode) });
  expect(signers(field(2, multi(2)), field(2, multi(3)))).toMatchObject([of(multi(3))]);
  expect(signers(field(2, join(multi(2), multi(1))))).toMatchObject([of(multi(1))]);
  expect(signers(field(2, multi(2)), field(2, single))).toMatchObject([of(single)]);
  expect(signers(field(2, single), field(2, multi(2)), field(2, new Uint8Array()))).toMatchObject([of(multi(2))]);
});

test('the last of several inner modes counts, too', () => {
  const outer = (...inner: readonly Uint8Array[]): Uint8Array => field(2, join(...inner.map((mode) => field(2, mode))));
  const [signer] = signers(field(2, outer(join(multi(1), multi(2)), single)));
  expect(signer?.modeInfo?.sum.value).toMatchObject({
    modeInfos: [fromBinary(ModeInfoSchema, multi(2)), fromBinary(ModeInfoSchema, single)],
  });
});

test('a StakeAuthorization has the last of several validator lists', () => {
  const list = (address: string) => ({ address: [address] });
  const allow = (address: string): Uint8Array =>
    bytesOf(StakeAuthorizationSchema, { validators: { case: 'allowList', value: list(address) } });
  const deny = bytesOf(StakeAuthorizationSchema, { validators: { case: 'denyList', value: list('c') } });
  const read = (...parts: readonly Uint8Array[]) => decodeMessage(StakeAuthorizationSchema, join(...parts)).validators;
  expect(read(allow('a'), allow('b'))).toMatchObject({ case: 'allowList', value: list('b') });
  expect(read(allow('a'), deny)).toMatchObject({ case: 'denyList', value: list('c') });
  expect(read(deny, allow('a'), allow('b'))).toMatchObject({ case: 'allowList', value: list('b') });
  const limited = (amount: string) => bytesOf(StakeAuthorizationSchema, { maxTokens: { denom: 'a', amount } });
  expect(decodeMessage(StakeAuthorizationSchema, join(limited('1'), allow('a'), limited('2')))).toMatchObject({
    maxTokens: { denom: 'a', amount: '2' },
    validators: { case: 'allowList', value: list('a') },
  });
});

test('bytes without a repeated oneof member stay as they are', () => {
  const once = field(1, join(bytesOf(SignerInfoSchema, { sequence: 1n }), field(2, multi(2))));
  expect(keepLastOneofMembers(AuthInfoSchema, once)).toBe(once);
  const memos = join(field(2, Buffer.from('a')), field(2, Buffer.from('b')));
  expect(keepLastOneofMembers(TxBodySchema, memos)).toBe(memos);
});

test('unknown fields of every wire type are skipped', () => {
  const group = new BinaryWriter().tag(1024, WireType.StartGroup).tag(1, WireType.Varint).uint32(3);
  const unknown = group.tag(1024, WireType.EndGroup).finish();
  const allow = bytesOf(StakeAuthorizationSchema, { validators: { case: 'allowList', value: { address: ['a'] } } });
  const deny = bytesOf(StakeAuthorizationSchema, { validators: { case: 'denyList', value: { address: ['b'] } } });
  for (const bytes of [join(unknown, deny), join(allow, unknown, allow, deny)])
    expect(decodeMessage(StakeAuthorizationSchema, bytes).validators).toMatchObject({
      case: 'denyList',
      value: { address: ['b'] },
    });
});

test('a text or a number replaces a message in a oneof, and the other way round', () => {
  const list = bytesOf(ValueSchema, { kind: { case: 'listValue', value: {} } });
  const [word, other] = ['a', 'b'].map((value) => bytesOf(ValueSchema, { kind: { case: 'stringValue', value } }));
  const read = (...parts: readonly (Uint8Array | undefined)[]) =>
    fromBinary(ValueSchema, keepLastOneofMembers(ValueSchema, join(...parts.map((part) => part ?? new Uint8Array()))))
      .kind;
  expect(read(list, list, word)).toEqual({ case: 'stringValue', value: 'a' });
  expect(read(word, list, list, other)).toEqual({ case: 'stringValue', value: 'b' });
  expect(read(list, word, list)).toMatchObject({ case: 'listValue' });
});
