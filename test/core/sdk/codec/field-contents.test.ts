/** Contents of single fields that evmd v0.6.0 does not decode, and addresses that it does not accept as signers. */
import type { Any } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { chronicle, evmd } from '../../../../src/core/app/presets.js';
import { GenericAuthorizationSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/authz_pb.js';
import { MsgExecSchema, MsgGrantSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgWithdrawValidatorCommissionSchema } from '../../../../src/core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import { MsgEthereumTxSchema } from '../../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { PeriodicAllowanceSchema } from '../../../../src/core/proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import { MsgGrantAllowanceSchema } from '../../../../src/core/proto/cosmos/feegrant/v1beta1/tx_pb.js';
import { MsgExecLegacyContentSchema } from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { TextProposalSchema } from '../../../../src/core/proto/cosmos/gov/v1beta1/gov_pb.js';
import { MsgUnjailSchema } from '../../../../src/core/proto/cosmos/slashing/v1beta1/tx_pb.js';
import {
  MsgCreateValidatorSchema,
  MsgEditValidatorSchema,
} from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { any, operator, person } from '../../app/properties/people.js';
import { refusalOf, tx } from '../../app/refusals/transactions.js';

const refused = (...messages: Any[]): string => refusalOf(tx({ body: { messages } }), evmd);
/** The reason of the refusal, which evmd hides in blocks. */
function undecoded(...messages: Any[]): string {
  expect(refused(...messages)).toBe('sdk 2: tx parse error');
  return refusalOf(tx({ body: { messages } }));
}
const pair = { granter: person(0), grantee: person(1) };
const time = (seconds: bigint, nanos = 0) => ({ $typeName: 'google.protobuf.Timestamp' as const, seconds, nanos });
const span = (seconds: bigint, nanos = 0) => ({ $typeName: 'google.protobuf.Duration' as const, seconds, nanos });
const grant = (expiration: ReturnType<typeof time>): Any =>
  any(MsgGrantSchema, {
    ...pair,
    grant: { authorization: any(GenericAuthorizationSchema, { msg: `/${MsgSendSchema.typeName}` }), expiration },
  });
const allowance = (period: ReturnType<typeof span>): Any =>
  any(MsgGrantAllowanceSchema, {
    ...pair,
    allowance: any(PeriodicAllowanceSchema, { basic: {}, period, periodSpendLimit: [{ denom: 'achr', amount: '1' }] }),
  });

describe('a transaction is not decoded', () => {
  it.each([
    ['before the year 1', -62_135_596_801n, 0],
    ['after the year 9999', 253_402_300_800n, 0],
    ['with a second of nanoseconds', 5n, 1_000_000_000],
    ['with nanoseconds below zero', 5n, -1],
  ])('with a time %s, however deep', (_, seconds, nanos) => {
    const late = grant(time(seconds, nanos));
    expect(undecoded(late)).toMatch(/^sdk 2: timestamp: /);
    expect(undecoded(any(MsgExecSchema, { grantee: person(0), msgs: [late] }))).toMatch(/^sdk 2: timestamp: /);
    expect(refusalOf(tx({ body: { timeoutTimestamp: time(seconds, nanos) } }))).toMatch(/^sdk 2: timestamp: /);
  });

  it.each([
    ['beyond ten thousand years', 315_576_000_001n, 0],
    ['beyond 64 bits of nanoseconds', 9_223_372_037n, 0],
    ['one nanosecond beyond 64 bits', 9_223_372_036n, 854_775_808],
    ['of two signs', 1n, -1],
    ['of two signs, the other way', -1n, 1],
    ['with more than a second of nanoseconds', 0n, 2_000_000_000],
  ])('with a duration %s', (_, seconds, nanos) => {
    expect(undecoded(allowance(span(seconds, nanos)))).toMatch(/^sdk 2: duration: /);
  });

  it('but is decoded with the longest duration, and with the last time', () => {
    expect(refused(allowance(span(9_223_372_036n, 854_775_807)))).not.toMatch(/^sdk 2: /);
    expect(refused(grant(time(253_402_300_799n, 999_999_999)))).toBe(' 0: ');
  });

  it.each([
    ['cut short', [0x04, 0x01], 'rlp: expected input list for types.SetCodeTx'],
    ['of an unknown type', [0x7f, 0xc0], 'transaction type not supported'],
    // the first was found against evmd v0.6.0 by `test/peer/messages`, seed 9706; geth's `tx_blob.go` asks for a list
    ['with blobs that ends early', [3, 0x97, 0xba], 'rlp: value size exceeds available input length'],
    ['with blobs without fields', [3, 0x05], 'rlp: expected List'],
  ])('with an Ethereum transaction %s in another message', (_, raw, reason) => {
    const inner = any(MsgEthereumTxSchema, { from: new Uint8Array(20), raw: Uint8Array.from(raw) });
    const refusal = undecoded(any(MsgExecSchema, { grantee: person(0), msgs: [inner] }));
    expect(refusal).toBe(`sdk 2: ${reason}: tx parse error: tx parse error`);
  });
});

describe('signers of messages of operators', () => {
  const wrong = "sdk 35: hrp does not match bech32 prefix: expected 'chronvaloper' got 'chron': internal logic error";
  it.each([
    ['MsgUnjail', (text: string) => any(MsgUnjailSchema, { validatorAddr: text })],
    ['MsgEditValidator', (text: string) => any(MsgEditValidatorSchema, { validatorAddress: text })],
    ['MsgCreateValidator', (text: string) => any(MsgCreateValidatorSchema, { validatorAddress: text })],
    [
      'MsgWithdrawValidatorCommission',
      (text: string) => any(MsgWithdrawValidatorCommissionSchema, { validatorAddress: text }),
    ],
  ])('are operators and no accounts in %s', (_, of) => {
    expect(refused(of(person(0)))).toBe(wrong);
    expect(refused(of('abc'))).toBe('sdk 9: unknown address format: abc: unknown address');
    expect(refused(of(''))).toBe('sdk 7: empty address string is not allowed: invalid address');
    expect(refused(of(operator(0)))).not.toMatch(/^sdk (35|9|7): [^f]/);
  });
});

it('the error of the first message is reported before that of the second', () => {
  const messages = [
    any(MsgSendSchema, { fromAddress: operator(0), toAddress: person(1) }),
    any(MsgUnjailSchema, { validatorAddr: '' }),
  ];
  const wrong = "sdk 35: hrp does not match bech32 prefix: expected 'chron' got 'chronvaloper': internal logic error";
  expect(refusalOf(tx({ body: { messages } }), chronicle)).toBe(wrong);
  expect(refusalOf(tx({ body: { messages: messages.toReversed() } }), chronicle)).toBe(
    'sdk 7: empty address string is not allowed: invalid address',
  );
});

it.each([
  ['A b', 'undefined 1: decoding bech32 failed: invalid bech32 string length 3'],
  ['', 'undefined 1: empty address string is not allowed'],
  [operator(0), 'undefined 1: invalid Bech32 prefix; expected chron, got chronvaloper'],
])('MsgExecLegacyContent of the authority %s is refused with the error of its address', (authority, refusal) => {
  const content = any(TextProposalSchema, { title: 'a', description: 'b' });
  const message = any(MsgExecLegacyContentSchema, { authority, content });
  expect([refused(message), refusalOf(tx({ body: { messages: [message] } }), chronicle)]).toEqual([refusal, refusal]);
});

it('MsgExec reports why the signer of an inner message is no address', () => {
  const from = (fromAddress: string): Any =>
    any(MsgExecSchema, { grantee: person(0), msgs: [any(MsgSendSchema, { fromAddress, toAddress: person(1) })] });
  const told = (code: number, text: string) => `sdk ${code}: failed to execute message; message index: 0: ${text}`;
  expect(refused(from('Zürich <b>'))).toBe(told(9, 'unknown address format: Zürich <b>: unknown address'));
  expect(refused(from(''))).toBe(told(7, 'empty address string is not allowed: invalid address'));
});

it('MsgGrant without an authorization is refused by the rules for authorizations', () => {
  const nothing = 'sdk 4: authorization is nil: invalid type: unauthorized';
  expect(refused(any(MsgGrantSchema, { ...pair, grant: {} }))).toBe(nothing);
  expect(refused(any(MsgGrantSchema, pair))).toBe(nothing);
});
