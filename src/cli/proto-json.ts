/**
 * JSON of protobuf messages as the SDK writes transactions and blocks: proto names, everything emitted, 64-bit numbers
 * as text.
 */
import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  getOption,
  hasOption,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  toJson,
} from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { DurationSchema } from '@bufbuild/protobuf/wkt';
import { base64 } from '@scure/base';
import { decimalText, timestampText } from '../core/sdk/codec/amino-json.js';
import { KNOWN_TYPES } from '../core/sdk/codec/known-types.js';
import { isDecimal, isEthereumTransaction } from '../core/sdk/codec/message-from-json.js';
import { hexData, upperHex } from '../core/bytes/hex.js';
import { scalar } from '../core/proto/cosmos_proto/cosmos_pb.js';
import { casttype, customtype, nullable } from '../core/proto/gogoproto/gogo_pb.js';
import { typeNameOf } from '../core/sdk/codec/any.js';

/** Every field in the order of declaration; absent messages are null, an `Any` is its message with `@type` first. */
export function protoJson<Schema extends DescMessage>(schema: Schema, message: MessageShape<Schema>): JsonValue {
  return messageJson(reflect(schema, message));
}

/** JSON of the value of an `Any`, without its type; values of unknown types stay base64. */
export function anyJson(typeUrl: string, value: Uint8Array): JsonObject {
  const schema = KNOWN_TYPES.getMessage(typeNameOf({ typeUrl }));
  if (schema === undefined) return { '@type': typeUrl, value: base64.encode(value) };
  const json = messageJson(reflect(schema, fromBinary(schema, value)));
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? { '@type': typeUrl, ...json }
    : { '@type': typeUrl, value: json };
}

function messageJson(message: ReflectMessage): JsonValue {
  if (message.desc.typeName === 'google.protobuf.Any')
    return anyJson(String(byName(message, 'type_url')), bytesOf(byName(message, 'value')));
  if (message.desc.typeName === 'google.protobuf.Timestamp')
    return inThrees(timestampText(BigInt(String(byName(message, 'seconds'))), Number(byName(message, 'nanos'))));
  if (message.desc.typeName === 'google.protobuf.Duration') return toJson(DurationSchema, durationOf(message));
  const out: Record<string, JsonValue> = {};
  for (const field of message.desc.fields) {
    if (field.oneof !== undefined && !message.isSet(field)) continue;
    out[field.name] = fieldJson(message, field);
  }
  return out;
}

/** A time whose fraction has three, six or nine digits, as JSON of protobuf has it. */
function inThrees(time: string): string {
  return time.replace(/\.(\d+)Z$/, (_, digits: string) => `.${digits.padEnd(Math.ceil(digits.length / 3) * 3, '0')}Z`);
}

function fieldJson(message: ReflectMessage, field: DescField): JsonValue {
  switch (field.fieldKind) {
    case 'list':
      return [...message.get(field)].map((item) =>
        isMessage(item)
          ? messageJson(item)
          : field.listKind === 'enum'
            ? (field.enum.value[Number(item)]?.name ?? Number(item))
            : scalarJson(item, field),
      );
    case 'map':
      return Object.fromEntries(
        [...message.get(field)].map(([key, value]) => [
          String(key),
          isMessage(value) ? messageJson(value) : scalarJson(value, field),
        ]),
      );
    case 'message':
      return message.isSet(field) ? messageJson(message.get(field)) : null;
    case 'enum':
      return field.enum.value[message.get(field)]?.name ?? message.get(field);
    case 'scalar':
      return scalarJson(message.get(field), field);
  }
}

function scalarJson(value: unknown, field: DescField): JsonValue {
  if (value instanceof Uint8Array) {
    if (isDecimal(field)) return decimalText(new TextDecoder().decode(value));
    if (isEthereumTransaction(field)) return hexData(value);
    if (getOption(field, casttype) === HEX_BYTES) return upperHex(value);
    return value.length === 0 && ABSENT_IN_GO.has(field.name) ? null : base64.encode(value);
  }
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return textJson(value, field);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** Integers and decimals of the SDK are texts; an absent one is null when the field is nullable. */
function textJson(value: string, field: DescField): JsonValue {
  const isNullable = !hasOption(field, nullable) || getOption(field, nullable);
  if (isDecimal(field)) return value === '' && isNullable ? null : decimalText(value);
  if (getOption(field, customtype) === MATH_INT) return value !== '' ? value : isNullable ? null : '0';
  return value === '' && hasOption(field, scalar) && getOption(field, scalar) === 'cosmos.Int' ? '0' : value;
}

const HEX_BYTES = 'github.com/cometbft/cometbft/libs/bytes.HexBytes';
const MATH_INT = 'cosmossdk.io/math.Int';
/** Bytes that Go has as null where they are empty. */
const ABSENT_IN_GO: ReadonlySet<string> = new Set(['next_key', 'proof', 'empty_child']);

function byName(message: ReflectMessage, name: string): unknown {
  const field = message.desc.fields.find((one) => one.name === name);
  return field === undefined ? undefined : message.get(field);
}

function durationOf(message: ReflectMessage) {
  return create(DurationSchema, {
    seconds: BigInt(String(byName(message, 'seconds'))),
    nanos: Number(byName(message, 'nanos')),
  });
}

function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array(0);
}

function isMessage(value: unknown): value is ReflectMessage {
  return typeof value === 'object' && value !== null && 'desc' in value;
}
