/**
 * SIGN_MODE_TEXTUAL against the test data that the SDK publishes for it, but for `enum.json` and `string.json`, whose
 * messages are of the renderer's own tests. `CHRONICLED_TEXTUAL_VECTORS` names the folder:
 * `signing/textual/internal/testdata` of cosmossdk.io/x/tx v0.14.0. Without it nothing is compared here;
 * test/core/sdk/signing/textual.test.ts has values of the files.
 */
import {
  create,
  createFileRegistry,
  createRegistry,
  fromJson,
  type JsonValue,
  setExtension,
  toBinary,
} from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import {
  AnySchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldOptionsSchema,
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_timestamp,
  FileDescriptorProtoSchema,
  TimestampSchema,
} from '@bufbuild/protobuf/wkt';
import { base64 } from '@scure/base';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evmd } from '../../../../src/core/app/presets.js';
import { type Metadata, MetadataSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/bank_pb.js';
import { CoinSchema, file_cosmos_base_v1beta1_coin } from '../../../../src/core/proto/cosmos/base/v1beta1/coin_pb.js';
import { AuthInfoSchema, TxBodySchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { scalar } from '../../../../src/core/proto/cosmos_proto/cosmos_pb.js';
import { coinsText } from '../../../../src/core/sdk/signing/textual/coins.js';
import { decimalText, integerText, NoTextualForm } from '../../../../src/core/sdk/signing/textual/numbers.js';
import { encodeScreens, screen, type Screen } from '../../../../src/core/sdk/signing/textual/screen.js';
import { transactionScreens } from '../../../../src/core/sdk/signing/textual/sign-bytes.js';
import { durationText, timestampText } from '../../../../src/core/sdk/signing/textual/times.js';
import { bytesText, ValueScreens } from '../../../../src/core/sdk/signing/textual/values.js';
import { messageFromJson } from '../../../../src/core/sdk/codec/message-from-json.js';
import { messageTypesOf } from '../../../../src/core/sdk/module/version-types.js';
import { toHex } from '../../app/support.js';

const FOLDER = process.env['CHRONICLED_TEXTUAL_VECTORS'];

function read<Cases>(file: string): Cases {
  return JSON.parse(readFileSync(join(FOLDER ?? '', file), 'utf8')) as Cases;
}

const IMPORTS = [
  file_google_protobuf_any,
  file_google_protobuf_timestamp,
  file_google_protobuf_duration,
  file_cosmos_base_v1beta1_coin,
];
const field = (name: string, number: number, type: string | Type, repeated = false) => ({
  name,
  number,
  label: repeated ? Label.REPEATED : Label.OPTIONAL,
  ...(typeof type === 'string' ? { type: Type.MESSAGE, typeName: `.${type}` } : { type }),
});

/** A text field that holds a number; its option names the kind of number. */
function number(name: string, index: number, kind: string) {
  const options = create(FieldOptionsSchema);
  setExtension(options, scalar, kind);
  return { ...field(name, index, Type.STRING), options };
}

/** The messages of `internal/testpb/1.proto` of cosmossdk.io/x/tx that the data names. */
const file = create(FileDescriptorProtoSchema, {
  name: 'published.proto',
  syntax: 'proto3',
  dependency: IMPORTS.map(({ proto }) => proto.name),
  enumType: [
    {
      name: 'ExternalEnum',
      value: [
        { name: 'One', number: 0 },
        { name: 'Two', number: 1 },
        { name: 'EXTERNAL_ENUM_THREE', number: 127 },
      ],
    },
  ],
  messageType: [
    {
      name: 'Foo',
      field: [
        field('full_name', 1, Type.STRING),
        field('nickname', 2, Type.STRING),
        field('mtime', 3, 'google.protobuf.Timestamp'),
        field('left', 4, 'Foo'),
        field('right', 5, 'Foo'),
        field('bar', 8, 'Bar'),
      ],
    },
    {
      name: 'Bar',
      field: [
        field('bar_id', 1, Type.STRING),
        field('data', 2, Type.BYTES),
        field('payload', 3, 'google.protobuf.Any'),
      ],
    },
    {
      name: 'Qux',
      field: [
        field('messages', 1, 'Foo', true),
        field('string_messages', 2, Type.STRING, true),
        field('vote', 3, 'Ballot'),
        field('price', 4, 'cosmos.base.v1beta1.Coin', true),
        field('expirations', 5, 'google.protobuf.Timestamp', true),
      ],
    },
    { name: 'WeightedBallotOption', field: [field('option', 1, Type.STRING), number('weight', 2, 'cosmos.Dec')] },
    {
      name: 'Ballot',
      field: [
        field('proposal_id', 1, Type.UINT64),
        field('voter', 2, Type.STRING),
        field('options', 4, 'WeightedBallotOption', true),
      ],
    },
    {
      name: 'A',
      field: [
        field('UINT32', 1, Type.UINT32),
        field('UINT64', 2, Type.UINT64),
        field('INT32', 3, Type.INT32),
        field('INT64', 4, Type.INT64),
        number('SDKINT', 5, 'cosmos.Int'),
        number('SDKDEC', 6, 'cosmos.Dec'),
        field('COIN', 7, 'cosmos.base.v1beta1.Coin'),
        field('COINS', 8, 'cosmos.base.v1beta1.Coin', true),
        field('BYTES', 9, Type.BYTES),
        field('TIMESTAMP', 10, 'google.protobuf.Timestamp'),
        field('DURATION', 11, 'google.protobuf.Duration'),
        { ...field('ENUM', 12, 'ExternalEnum'), type: Type.ENUM },
        field('ANY', 13, 'google.protobuf.Any'),
      ],
    },
  ],
});
const own = createFileRegistry(file, (name) => IMPORTS.find(({ proto }) => proto.name === name));
const types = createRegistry(messageTypesOf(evmd), CoinSchema, AnySchema, TimestampSchema, own);

/** A message of the data; bytes may be lists of numbers there, as Go's JSON has them. */
function messageOf(name: string, value: JsonValue) {
  const schema = own.getMessage(name);
  if (schema === undefined) throw new Error(`no type ${name}`);
  const text = JSON.stringify(value, (key, part: unknown) =>
    key === 'data' && Array.isArray(part)
      ? base64.encode(Uint8Array.from(part as number[]))
      : key === 'mtime' || (typeof part === 'object' && part !== null && 'seconds' in part)
        ? timeOf(part as Time)
        : part,
  );
  return reflect(schema, messageFromJson(schema, JSON.parse(text) as JsonValue, types));
}

interface Time {
  readonly seconds?: number;
  readonly nanos?: number;
}
const parts = ({ seconds = 0, nanos = 0 }: Time) => ({ seconds: BigInt(seconds), nanos });
const timeOf = (time: Time): string => timestampText(parts(time));

type Shown = Partial<Screen>;
const whole = (shown: readonly Shown[]): readonly Screen[] => shown.map((one) => ({ ...screen(''), ...one }));
type JsonMetadata = { readonly [name: string]: JsonValue };
/** The data also has texts that are no coins, for the parser of a device. */
const isFormatted = (one: { readonly proto?: unknown }): boolean => one.proto !== undefined;
const metadataOf = (json: JsonMetadata | undefined): Metadata | undefined =>
  json === undefined || Object.keys(json).length === 0 ? undefined : fromJson(MetadataSchema, json);

/** Expects the text, or that there is none. */
function expectText(make: () => string, text: string | undefined, error: boolean | undefined): void {
  if (error === true) expect(make).toThrow(NoTextualForm);
  else expect(make()).toBe(text);
}

describe.skipIf(FOLDER === undefined)('SIGN_MODE_TEXTUAL', () => {
  it('shows integers, decimals and bytes as published', () => {
    const rows = read<readonly (readonly [string, string])[]>;
    for (const [value, text] of rows('integers.json')) expect(integerText(value)).toBe(text);
    for (const [value, text] of rows('decimals.json')) expect(decimalText(value)).toBe(text);
    for (const [value, text] of rows('bytes.json')) expect(bytesText(base64.decode(value))).toBe(text);
  });

  it('shows times and durations as published', () => {
    interface Case {
      readonly proto?: Time;
      readonly text?: string;
      readonly error?: boolean;
    }
    const formatted = (name: string) => read<readonly Case[]>(name).filter(({ proto }) => proto !== undefined);
    expect(formatted('timestamp.json').length).toBeGreaterThan(10);
    for (const { proto = {}, text, error } of formatted('timestamp.json'))
      expectText(() => timestampText(parts(proto)), text, error);
    for (const { proto = {}, text, error } of formatted('duration.json'))
      expectText(() => durationText(parts(proto)), text, error);
  });

  it('shows coins as published', () => {
    interface Coin {
      readonly amount: string;
      readonly denom: string;
    }
    interface Case<Value, Known> {
      readonly proto?: Value | null;
      readonly metadata?: Known;
      readonly text?: string;
      readonly error?: boolean;
    }
    for (const { proto, metadata, text, error } of read<readonly Case<Coin, JsonMetadata>[]>('coin.json').filter(
      isFormatted,
    ))
      expectText(() => coinsText(proto ? [proto] : [], () => metadataOf(metadata)), text, error);
    for (const { proto, metadata = {}, text, error } of read<
      readonly Case<readonly Coin[], Readonly<Record<string, JsonMetadata>>>[]
    >('coins.json').filter(isFormatted))
      expectText(() => coinsText(proto ?? [], (denom) => metadataOf(metadata[denom])), text, error);
  });

  it('shows messages, lists and contents of Any as published', () => {
    interface Case {
      readonly proto: JsonValue;
      readonly screens: readonly Shown[];
      readonly error?: boolean;
    }
    const values = new ValueScreens(types, () => undefined);
    for (const [name, type] of [
      ['message.json', 'Foo'],
      ['repeated.json', 'Qux'],
    ] as const)
      for (const { proto, screens } of read<readonly Case[]>(name))
        expect(values.message(messageOf(type, proto)), JSON.stringify(proto)).toEqual(whole(screens));
    for (const { proto, screens } of read<readonly Case[]>('any.json')) {
      const { typeUrl, value } = messageFromJson(AnySchema, proto, types);
      expect(values.any(typeUrl, value), JSON.stringify(proto)).toEqual(whole(screens));
    }
  });

  it('encodes screens as published', () => {
    interface Case {
      readonly screens: readonly Shown[];
      readonly encoding: string;
    }
    for (const { screens, encoding } of read<readonly Case[]>('encode.json'))
      expect(toHex(encodeScreens(whole(screens)))).toBe(encoding);
  });

  it.each(['tx.json', 'e2e.json'])('shows transactions of %s as published', (name) => {
    interface Case {
      readonly name: string;
      readonly proto: { readonly body: JsonValue; readonly auth_info: JsonValue };
      readonly signer_data: {
        readonly account_number: number;
        readonly address: string;
        readonly chain_id: string;
        readonly pub_key: JsonValue;
        readonly sequence: number;
      };
      readonly metadata?: JsonMetadata;
      readonly error?: boolean;
      readonly screens: readonly Shown[];
      readonly cbor?: string;
    }
    const cases = read<readonly Case[]>(name);
    expect(cases.length).toBeGreaterThan(3);
    for (const one of cases) {
      const { proto, signer_data: signer, metadata } = one;
      const body = messageFromJson(TxBodySchema, proto.body, types);
      const authInfo = messageFromJson(AuthInfoSchema, proto.auth_info, types);
      const screens = transactionScreens(
        { body, authInfo, bodyBytes: toBinary(TxBodySchema, body), authInfoBytes: toBinary(AuthInfoSchema, authInfo) },
        {
          chainId: signer.chain_id,
          accountNumber: BigInt(signer.account_number),
          sequence: BigInt(signer.sequence),
          address: signer.address,
          publicKey: messageFromJson(AnySchema, signer.pub_key, types),
          types,
          coinMetadata: () => metadataOf(metadata),
        },
      );
      expect(screens, one.name).toEqual(whole(one.screens));
      if (one.cbor !== undefined) expect(toHex(encodeScreens(screens)), one.name).toBe(one.cbor);
    }
  });
});
