/** Any message of a type: every field, with and without a value. */
import {
  type DescField,
  type DescMessage,
  type Message,
  getOption,
  type Registry,
  ScalarType,
} from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { AnySchema, DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { toBinary } from '@bufbuild/protobuf';
import * as fc from 'fast-check';
import { scalar } from '../../src/core/proto/cosmos_proto/cosmos_pb.js';
import { numberOf } from '../../src/core/sdk/codec/message-numbers.js';
import { CODE_POINT } from './code-point.js';

/** Maximum depth of nested messages. */
const DEPTH = 3;

/** `inside`: types that an `Any` may hold. */
export function arbitraryMessage(desc: DescMessage, inside: readonly DescMessage[]): fc.Arbitrary<Message> {
  return messageOf(desc, inside, DEPTH).map(({ message }) => message);
}

function messageOf(desc: DescMessage, inside: readonly DescMessage[], depth: number): fc.Arbitrary<ReflectMessage> {
  if (desc.typeName === AnySchema.typeName) return anyOf(inside, depth);
  const fields = desc.fields.map((field) => fc.option(valueOf(field, inside, depth), { nil: undefined }));
  return fc.tuple(...fields).map((values) => {
    const message = reflect(desc);
    for (const [index, field] of desc.fields.entries()) {
      const value = values[index];
      if (value === undefined || field.fieldKind === 'map') continue;
      if (field.fieldKind !== 'list') message.set(field, value);
      else if (Array.isArray(value)) for (const element of value) message.get(field).add(element);
    }
    return message;
  });
}

function anyOf(inside: readonly DescMessage[], depth: number): fc.Arbitrary<ReflectMessage> {
  return fc
    .constantFrom(...inside)
    .chain((desc) => messageOf(desc, inside, Math.min(depth, 1)))
    .map((content) => {
      const any = reflect(AnySchema);
      const [typeUrl, value] = AnySchema.fields;
      if (typeUrl !== undefined) any.set(typeUrl, `/${content.desc.typeName}`);
      if (value !== undefined) any.set(value, toBinary(content.desc, content.message));
      return any;
    });
}

function valueOf(field: DescField, inside: readonly DescMessage[], depth: number): fc.Arbitrary<unknown> {
  if (field.fieldKind === 'map') return fc.constant(undefined);
  if (field.fieldKind === 'list' && depth === 0 && field.message !== undefined) return fc.constant([]);
  const single = singleOf(field, inside, depth);
  return field.fieldKind === 'list' ? fc.array(single, { maxLength: 2 }) : single;
}

function singleOf(field: DescField, inside: readonly DescMessage[], depth: number): fc.Arbitrary<unknown> {
  if (field.message !== undefined) {
    const known = WELL_KNOWN[field.message.typeName];
    if (known !== undefined) return known;
    return depth === 0 ? fc.constant(undefined) : messageOf(field.message, inside, depth - 1);
  }
  if (field.enum !== undefined) return fc.constantFrom(...field.enum.values.map(({ number }) => number));
  const meaning = getOption(field, scalar);
  if (meaning === 'cosmos.Int' || meaning === 'cosmos.Dec' || numberOf(field) !== undefined) {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String);
    return field.scalar === ScalarType.BYTES ? digits.map((text) => new TextEncoder().encode(text)) : digits;
  }
  return field.scalar === undefined ? fc.constant(undefined) : SCALARS[field.scalar];
}

const timeOf = (desc: DescMessage, seconds: fc.Arbitrary<bigint>): fc.Arbitrary<ReflectMessage> =>
  fc.tuple(seconds, fc.integer({ min: 0, max: 999_999_999 })).map((values) => {
    const message = reflect(desc);
    for (const [index, field] of desc.fields.entries()) message.set(field, values[index]);
    return message;
  });

const WELL_KNOWN: Readonly<Record<string, fc.Arbitrary<ReflectMessage>>> = {
  [TimestampSchema.typeName]: timeOf(TimestampSchema, fc.bigInt({ min: -62_135_596_800n, max: 253_402_300_799n })),
  [DurationSchema.typeName]: timeOf(DurationSchema, fc.bigInt({ min: 0n, max: 9_000_000_000n })),
};

const int32 = fc.integer();
const uint32 = fc.nat({ max: 0xffff_ffff });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

const SCALARS: Readonly<Record<ScalarType, fc.Arbitrary<unknown>>> = {
  [ScalarType.STRING]: fc.string({ unit: CODE_POINT, maxLength: 12 }),
  [ScalarType.BYTES]: fc.uint8Array({ maxLength: 40 }),
  [ScalarType.BOOL]: fc.boolean(),
  [ScalarType.DOUBLE]: fc.double({ noNaN: true }),
  [ScalarType.FLOAT]: fc.float({ noNaN: true }),
  [ScalarType.INT32]: int32,
  [ScalarType.SINT32]: int32,
  [ScalarType.SFIXED32]: int32,
  [ScalarType.UINT32]: uint32,
  [ScalarType.FIXED32]: uint32,
  [ScalarType.INT64]: int64,
  [ScalarType.SINT64]: int64,
  [ScalarType.SFIXED64]: int64,
  [ScalarType.UINT64]: uint64,
  [ScalarType.FIXED64]: uint64,
};

/** Message types of a registry. */
export function messagesOf(types: Registry): readonly DescMessage[] {
  return [...types].flatMap((type) => (type.kind === 'message' ? [type] : []));
}

/** True for the messages of a transaction. */
export const isSigned = ({ name }: DescMessage): boolean => /^Msg(?!.*Response$)/.test(name);
