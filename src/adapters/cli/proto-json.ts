/**
 * JSON of protobuf messages as the SDK writes transactions and blocks: proto names, everything emitted, 64-bit numbers
 * as text.
 */
import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  fromJson,
  getOption,
  hasOption,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { base64 } from '@scure/base';
import { decimalText, timestampText } from '../../core/sdk/amino-json.js';
import { KNOWN_TYPES } from '../../core/sdk/known-types.js';
import { bytesOfDigits, hexData } from '../../core/bytes/hex.js';
import { scalar } from '../../core/proto/cosmos_proto/cosmos_pb.js';
import { customtype, nullable } from '../../core/proto/gogoproto/gogo_pb.js';
import { CommandError, EXIT } from './exit-codes.js';

/** Every field in the order of declaration; absent messages are null, an `Any` is its message with `@type` first. */
export function protoJson<Schema extends DescMessage>(schema: Schema, message: MessageShape<Schema>): JsonValue {
  return messageJson(reflect(schema, message));
}

/** Reads the format of `protoJson`; a usage error names the wrong member. */
export function protoFromJson<Schema extends DescMessage>(
  schema: Schema,
  json: JsonValue,
  what: string,
): MessageShape<Schema> {
  try {
    if (json === null) return create(schema);
    const message = fromJson(schema, base64Transactions(json), { registry: KNOWN_TYPES });
    bareUrls(reflect(schema, message));
    return message;
  } catch (error) {
    throw new CommandError(EXIT.usage, `${what}: ${error instanceof Error ? error.message : 'not a transaction'}`);
  }
}

/** Replaces the hexadecimal bytes of Ethereum transactions by base64, the form in which protobuf JSON is parsed. */
function base64Transactions(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(base64Transactions);
  if (typeof json !== 'object' || json === null) return json;
  const isEthereum = typeof json['@type'] === 'string' && json['@type'].endsWith('.MsgEthereumTx');
  return Object.fromEntries(
    Object.entries(json).map(([name, value]): [string, JsonValue] => {
      const bytes =
        isEthereum && name === 'raw' && typeof value === 'string' && value.startsWith('0x')
          ? bytesOfDigits(value.slice(2))
          : undefined;
      return [name, bytes === undefined ? base64Transactions(value) : base64.encode(bytes)];
    }),
  );
}

/** Writes type URLs as the SDK does, with a bare slash before the name, also in nested `Any` values. */
function bareUrls(message: ReflectMessage): void {
  const url = message.desc.fields.find(({ name }) => name === 'type_url');
  const value = message.desc.fields.find(({ name }) => name === 'value');
  if (message.desc.typeName === 'google.protobuf.Any' && url !== undefined && value !== undefined) {
    const typed: unknown = message.get(url);
    const name = typeof typed === 'string' ? typed.replace(/^.*\//, '') : '';
    const schema = KNOWN_TYPES.getMessage(name);
    message.set(url, `/${name}`);
    if (schema === undefined) return;
    const inner = fromBinary(schema, bytesOf(message.get(value)));
    bareUrls(reflect(schema, inner));
    message.set(value, toBinary(schema, inner));
    return;
  }
  for (const field of message.desc.fields) {
    if (field.fieldKind === 'message' && message.isSet(field)) bareUrls(message.get(field));
    if (field.fieldKind === 'list' && field.listKind === 'message')
      for (const item of message.get(field)) if (isMessage(item)) bareUrls(item);
  }
}

/** JSON of the value of an `Any`, without its type; values of unknown types stay base64. */
export function anyJson(typeUrl: string, value: Uint8Array): JsonObject {
  const schema = KNOWN_TYPES.getMessage(typeUrl.slice(typeUrl.lastIndexOf('/') + 1));
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
    return timestampText(BigInt(String(byName(message, 'seconds'))), Number(byName(message, 'nanos')));
  if (message.desc.typeName === 'google.protobuf.Duration') return `${String(byName(message, 'seconds'))}s`;
  const out: Record<string, JsonValue> = {};
  for (const field of message.desc.fields) {
    if (field.oneof !== undefined && !message.isSet(field)) continue;
    out[field.name] = fieldJson(message, field);
  }
  return out;
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
  if (value instanceof Uint8Array) return isEthereumTransaction(field) ? hexData(value) : base64.encode(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return textJson(value, field);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** Integers and decimals of the SDK are texts; an absent one is null when the field is nullable. */
function textJson(value: string, field: DescField): JsonValue {
  const type = getOption(field, customtype);
  if (type === LEGACY_DEC) return decimalText(value);
  if (type === MATH_INT)
    return value !== '' ? value : hasOption(field, nullable) && !getOption(field, nullable) ? '0' : null;
  return value === '' && hasOption(field, scalar) && getOption(field, scalar) === 'cosmos.Int' ? '0' : value;
}

/** True for the one bytes field that the SDK writes in hexadecimal. */
function isEthereumTransaction(field: DescField): boolean {
  return getOption(field, customtype) === 'EthereumTx';
}

const LEGACY_DEC = 'cosmossdk.io/math.LegacyDec';
const MATH_INT = 'cosmossdk.io/math.Int';

function byName(message: ReflectMessage, name: string): unknown {
  const field = message.desc.fields.find((one) => one.name === name);
  return field === undefined ? undefined : message.get(field);
}

function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array(0);
}

function isMessage(value: unknown): value is ReflectMessage {
  return typeof value === 'object' && value !== null && 'desc' in value;
}
