import { create, createRegistry, toBinary, toJson as judge } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { AnySchema, DurationSchema, FieldDescriptorProtoSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOfWire, wireOfDecimal } from '../../../src/adapters/rest/json/decimal.js';
import { createToJson, NestedTooDeep } from '../../../src/adapters/rest/json/to-json.js';
import {
  durationOfText,
  durationText,
  timestampOfText,
  timestampText,
} from '../../../src/adapters/rest/json/well-known.js';
import { servedFiles } from '../../../src/adapters/services/index.js';
import { QueryAllBalancesResponseSchema } from '../../../src/core/proto/cosmos/bank/v1beta1/query_pb.js';
import { MsgSendSchema } from '../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { CoinSchema } from '../../../src/core/proto/cosmos/base/v1beta1/coin_pb.js';
import { PageResponseSchema } from '../../../src/core/proto/cosmos/base/query/v1beta1/pagination_pb.js';
import { ParamsSchema } from '../../../src/core/proto/cosmos/evm/vm/v1/evm_pb.js';
import { ModeInfoSchema, TxBodySchema, type ModeInfo } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { QueryRedelegationsResponseSchema } from '../../../src/core/proto/cosmos/staking/v1beta1/query_pb.js';
import { SignMode } from '../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { propertyRuns } from '../../support/property-runs.js';
import { encode } from '../../support/encode.js';

const toJson = createToJson(servedFiles().registry);
const parsed = (text: string): unknown => JSON.parse(text);

describe('JSON of encoded messages', () => {
  it('an empty message shows every field: null for pointers and bytes, else lists and defaults', () => {
    expect(parsed(toJson(QueryAllBalancesResponseSchema, new Uint8Array()))).toEqual({
      balances: [],
      pagination: null,
    });
    expect(parsed(toJson(PageResponseSchema, new Uint8Array()))).toEqual({ next_key: null, total: '0' });
    expect(parsed(toJson(CoinSchema, new Uint8Array()))).toEqual({ denom: '', amount: '0' });
  });

  it("redelegations are written like Go's encoding/json", () => {
    // The answer of an evmd v0.6.0.
    const text =
      '{"redelegation_responses":[{"redelegation":{"delegator_address":"cosmos1jcltmuhplrdcwp7stlr4hlhlhgd4htqhnu0t2g",' +
      '"validator_src_address":"cosmosvaloper10jmp6sgh4cc6zt3e8gw05wavvejgr5pw4xyrql",' +
      '"validator_dst_address":"cosmosvaloper1wzvhjux9rqfdcwspp37srdgwp5tac7wgwztcn4","entries":null},' +
      '"entries":[{"redelegation_entry":{"creation_height":129,"completion_time":"2026-11-23T19:03:01.283571501Z",' +
      '"initial_balance":"1000000000000000000","shares_dst":"1000000000000000000.000000000000000000","unbonding_id":1},' +
      '"balance":"990000000000000000"}]}],"pagination":{"next_key":null,"total":"1"}}';
    const answer = create(QueryRedelegationsResponseSchema, {
      redelegationResponses: [
        {
          redelegation: {
            delegatorAddress: 'cosmos1jcltmuhplrdcwp7stlr4hlhlhgd4htqhnu0t2g',
            validatorSrcAddress: 'cosmosvaloper10jmp6sgh4cc6zt3e8gw05wavvejgr5pw4xyrql',
            validatorDstAddress: 'cosmosvaloper1wzvhjux9rqfdcwspp37srdgwp5tac7wgwztcn4',
          },
          entries: [
            {
              redelegationEntry: {
                creationHeight: 129n,
                completionTime: { seconds: BigInt(Date.parse('2026-11-23T19:03:01Z') / 1000), nanos: 283_571_501 },
                initialBalance: '1000000000000000000',
                sharesDst: '1000000000000000000000000000000000000',
                unbondingId: 1n,
              },
              balance: '990000000000000000',
            },
          ],
        },
      ],
      pagination: { total: 1n },
    });
    expect(toJson(QueryRedelegationsResponseSchema, toBinary(QueryRedelegationsResponseSchema, answer))).toBe(text);
  });

  it('a message in several parts is merged', () => {
    const part = (page: { nextKey?: Uint8Array; total?: bigint }): Uint8Array =>
      encode(QueryAllBalancesResponseSchema, { pagination: page });
    const bytes = Uint8Array.from([...part({ nextKey: new Uint8Array([1]) }), ...part({ total: 7n })]);
    expect(parsed(toJson(QueryAllBalancesResponseSchema, bytes))).toMatchObject({
      pagination: { next_key: 'AQ==', total: '7' },
    });
  });

  it('a long message in very many parts is merged once', () => {
    const long = new BinaryWriter().tag(999, WireType.LengthDelimited).bytes(new Uint8Array(1_000_000)).finish();
    const writer = new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(long);
    for (let part = 0; part < 1_000_000; part += 1) writer.tag(2, WireType.LengthDelimited).bytes(new Uint8Array());
    writer.tag(2, WireType.LengthDelimited).bytes(Uint8Array.of(16, 7));
    expect(parsed(toJson(QueryAllBalancesResponseSchema, writer.finish()))).toMatchObject({
      pagination: { total: '7' },
    });
  });

  it('numbers of a list are read packed or one by one', () => {
    const extraEips = ParamsSchema.fields.find(({ name }) => name === 'extra_eips');
    const number = extraEips?.number ?? 0;
    const bytes = new BinaryWriter()
      .tag(number, WireType.LengthDelimited)
      .fork()
      .int64(1n)
      .int64(300n)
      .join()
      .tag(number, WireType.Varint)
      .int64(5n)
      .finish();
    expect(parsed(toJson(ParamsSchema, bytes))).toMatchObject({ extra_eips: ['1', '300', '5'] });
  });

  it('unknown fields are left out', () => {
    const bytes = new BinaryWriter()
      .tag(999, WireType.LengthDelimited)
      .string('x')
      .tag(1, WireType.LengthDelimited)
      .string('achr')
      .finish();
    expect(parsed(toJson(CoinSchema, bytes))).toEqual({ denom: 'achr', amount: '0' });
  });

  it('the last field of a oneof is shown, or none when none was sent', () => {
    const single = encode(ModeInfoSchema, { sum: { case: 'single', value: { mode: SignMode.DIRECT } } });
    const multi = encode(ModeInfoSchema, { sum: { case: 'multi', value: {} } });
    expect(parsed(toJson(ModeInfoSchema, Uint8Array.from([...multi, ...single])))).toEqual({
      single: { mode: 'SIGN_MODE_DIRECT' },
    });
    expect(parsed(toJson(ModeInfoSchema, Uint8Array.from([...single, ...multi])))).toEqual({
      multi: { bitarray: null, mode_infos: [] },
    });
    expect(toJson(ModeInfoSchema, new Uint8Array())).toBe('{}');
  });

  it('an enum value without a name is a number', () => {
    const bytes = new BinaryWriter()
      .tag(1, WireType.LengthDelimited)
      .fork()
      .tag(1, WireType.Varint)
      .int32(77)
      .join()
      .finish();
    expect(parsed(toJson(ModeInfoSchema, bytes))).toEqual({ single: { mode: 77 } });
  });

  it('an Any shows its fields; with an unknown type or invalid bytes it keeps the bytes', () => {
    const body = (typeUrl: string, value: Uint8Array): unknown =>
      parsed(toJson(TxBodySchema, encode(TxBodySchema, { messages: [create(AnySchema, { typeUrl, value })] })));
    const send = encode(MsgSendSchema, { fromAddress: 'a' });
    expect(body('/cosmos.bank.v1beta1.MsgSend', send)).toMatchObject({
      messages: [{ '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: 'a', to_address: '', amount: [] }],
    });
    expect(body('/no.Such', new Uint8Array([1, 2]))).toMatchObject({
      messages: [{ '@type': '/no.Such', value: 'AQI=' }],
    });
    expect(body('/cosmos.bank.v1beta1.MsgSend', new Uint8Array([0x0a, 9]))).toMatchObject({
      messages: [{ '@type': '/cosmos.bank.v1beta1.MsgSend', value: 'Cgk=' }],
    });
  });

  it('nesting beyond the limit is an error of its own, and within an Any it keeps the bytes', () => {
    let info: ModeInfo = create(ModeInfoSchema, { sum: { case: 'single', value: { mode: SignMode.DIRECT } } });
    for (let level = 0; level < 100; level++)
      info = create(ModeInfoSchema, { sum: { case: 'multi', value: { modeInfos: [info] } } });
    expect(() => toJson(ModeInfoSchema, toBinary(ModeInfoSchema, info))).toThrow(NestedTooDeep);
    const any = create(AnySchema, { typeUrl: '/cosmos.tx.v1beta1.ModeInfo', value: toBinary(ModeInfoSchema, info) });
    const shown = parsed(toJson(TxBodySchema, encode(TxBodySchema, { messages: [any] })));
    expect(shown).toMatchObject({ messages: [{ '@type': '/cosmos.tx.v1beta1.ModeInfo', value: expect.any(String) }] });
  });

  it('arbitrary bytes give JSON or a decode error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        let text: string;
        try {
          text = toJson(TxBodySchema, bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          return;
        }
        expect(typeof parsed(text)).toBe('object');
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it('messages without Go options have the fields that protobuf defines', () => {
    const field = fc.record({
      name: fc.string(),
      number: fc.integer({ min: 1, max: 2 ** 29 }),
      label: fc.constantFrom(1, 2, 3),
      typeName: fc.string({ unit: 'grapheme' }),
      proto3Optional: fc.boolean(),
    });
    fc.assert(
      fc.property(field, (init) => {
        const message = create(FieldDescriptorProtoSchema, init);
        const ours = parsed(
          createToJson(createRegistry())(FieldDescriptorProtoSchema, toBinary(FieldDescriptorProtoSchema, message)),
        );
        const theirs = judge(FieldDescriptorProtoSchema, message, { useProtoFieldName: true });
        expect(ours).toMatchObject(typeof theirs === 'object' && theirs !== null ? theirs : {});
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});

describe('texts of numbers and times', () => {
  it('a decimal is parsed back from its text, also with fewer places', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }),
        (value) => wireOfDecimal(decimalOfWire(String(value))) === String(value),
      ),
      { numRuns: propertyRuns(500) },
    );
    expect([wireOfDecimal('1'), wireOfDecimal('0.05'), wireOfDecimal('-0.0'), wireOfDecimal('00.5')]).toEqual([
      '1000000000000000000',
      '50000000000000000',
      '0',
      '500000000000000000',
    ]);
    for (const text of ['', '.5', '1.', '1e3', '0.0000000000000000001', '0x1', '9'.repeat(81)])
      expect(wireOfDecimal(text), text).toBeUndefined();
  });

  const nanos = fc.oneof(
    fc.constantFrom(0, 500_000_000, 1_000, 1_000_000, 120_000_000),
    fc.integer({ min: 0, max: 999_999_999 }),
  );

  it("times have protobuf's form and are parsed back", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -62_135_596_800n, max: 253_402_300_799n }), nanos, (seconds, fraction) => {
        const text = timestampText({ seconds, nanos: fraction });
        expect(text).toBe(judge(TimestampSchema, create(TimestampSchema, { seconds, nanos: fraction })));
        expect(timestampOfText(text ?? '')).toEqual({ seconds, nanos: fraction });
      }),
      { numRuns: propertyRuns(500) },
    );
    expect([
      timestampText({ seconds: 253_402_300_800n, nanos: 0 }),
      timestampOfText('yesterday'),
      timestampOfText('2026-13-01T00:00:00Z'),
    ]).toEqual([undefined, undefined, undefined]);
    expect(timestampOfText('2026-01-01T01:00:00.5+01:00')).toEqual({ seconds: 1_767_225_600n, nanos: 500_000_000 });
  });

  it("durations have protobuf's form and are parsed back", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 315_576_000_000n }),
        nanos,
        fc.constantFrom(1, -1),
        (seconds, fraction, sign) => {
          const duration = { seconds: seconds * BigInt(sign), nanos: fraction === 0 ? 0 : fraction * sign };
          const text = durationText(duration);
          expect(text).toBe(judge(DurationSchema, create(DurationSchema, duration)));
          expect(durationOfText(text ?? '')).toEqual(duration);
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });
});
