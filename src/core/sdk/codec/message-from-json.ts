/**
 * Reads the SDK's JSON of protobuf messages: decimals have a point, Ethereum transactions are hexadecimal, durations
 * have protobuf's form (`60s`) or that of queries (`1m0s`).
 */
import {
  type DescField,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type MessageShape,
  type Registry,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf';
import { isReflectMessage, reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { base64 } from '@scure/base';
import { utf8 } from '../../bytes/bytes.js';
import { bytesOfDigits } from '../../bytes/hex.js';
import { customTypeOf } from './custom-type.js';
import { parseSignedDec } from '../coins/dec.js';
import { NS_PER_SECOND } from '../../primitives.js';

const ANY = 'google.protobuf.Any';
const DURATION = 'google.protobuf.Duration';

/** Reads a message from JSON; `types` are those that an `Any` may contain. Throws Error with a text for the user. */
export function messageFromJson<Schema extends DescMessage>(
  schema: Schema,
  json: JsonValue,
  types: Registry,
): MessageShape<Schema> {
  const message = fromJson(schema, plain(schema, json, types), { registry: types });
  bareUrls(reflect(schema, message), types);
  return message;
}

/** True for an SDK decimal: text or bytes with multiples of 10^-18, shown with a point. */
function isDecimal(field: DescField): boolean {
  return customTypeOf(field) === LEGACY_DEC;
}

const LEGACY_DEC = 'cosmossdk.io/math.LegacyDec';

/** True for the only bytes field that the SDK writes in hexadecimal. */
function isEthereumTransaction(field: DescField): boolean {
  return customTypeOf(field) === 'EthereumTx';
}

/** Converts the SDK's JSON to protobuf's JSON. */
function plain(schema: DescMessage, json: JsonValue, types: Registry): JsonValue {
  if (schema.typeName === DURATION && typeof json === 'string') return protobufDuration(json);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const type = schema.typeName === ANY ? json['@type'] : undefined;
  const shown = typeof type === 'string' ? types.getMessage(type.replace(/^.*\//, '')) : schema;
  if (shown === undefined) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]): [string, JsonValue][] => {
      const field = shown.fields.find(({ name, jsonName }) => name === key || jsonName === key);
      if (field === undefined) return [[key, value]];
      // When both names of a field occur, Go uses the JSON name (gogoproto v1.7 `jsonpb/jsonpb.go`).
      if (key !== field.jsonName && Object.hasOwn(json, field.jsonName)) return [];
      return [[key, plainField(field, value, types)]];
    }),
  );
}

function plainField(field: DescField, json: JsonValue, types: Registry): JsonValue {
  if (field.fieldKind === 'message') return plain(field.message, json, types);
  if (field.fieldKind === 'list' && field.listKind === 'message' && Array.isArray(json))
    return json.map((item) => plain(field.message, item, types));
  if (field.fieldKind !== 'scalar' || typeof json !== 'string') return json;
  if (isDecimal(field)) return decimalUnits(field, json);
  if (!isEthereumTransaction(field) || !json.startsWith('0x')) return json;
  const bytes = bytesOfDigits(json.slice(2));
  return bytes === undefined ? json : base64.encode(bytes);
}

function decimalUnits(field: DescField & { readonly fieldKind: 'scalar' }, text: string): string {
  const units = parseSignedDec(text);
  if (units === undefined) throw new Error(`${field.name}: ${text} is not a decimal`);
  return field.scalar === ScalarType.BYTES ? base64.encode(utf8(units.toString())) : units.toString();
}

/** Nanoseconds per unit. */
const UNITS: Readonly<Record<string, bigint>> = { h: 3_600_000_000_000n, m: 60_000_000_000n, s: NS_PER_SECOND };

/**
 * Converts hours, minutes and seconds (Go's `Duration.String`) to protobuf's duration text; returns other text
 * unchanged.
 */
function protobufDuration(text: string): string {
  if (!/^([0-9]{1,12}h)?([0-9]{1,12}m)?([0-9]{1,12}(\.[0-9]{1,9})?s)$/.test(text)) return text;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(/([0-9]+)\.?([0-9]*)([hms])/g))
    nanos += BigInt(whole) * (UNITS[unit] ?? 0n) + BigInt(fraction.padEnd(9, '0'));
  const rest = nanos % NS_PER_SECOND;
  return `${nanos / NS_PER_SECOND}${rest === 0n ? '' : `.${rest.toString().padStart(9, '0')}`}s`;
}

/** Rewrites type URLs as a slash and the name, like the SDK, in nested `Any` values too. */
function bareUrls(message: ReflectMessage, types: Registry): void {
  const [url, value] = message.desc.fields;
  if (message.desc.typeName === ANY && url !== undefined && value !== undefined) {
    const typed: unknown = message.get(url);
    const name = typeof typed === 'string' ? typed.replace(/^.*\//, '') : '';
    const schema = types.getMessage(name);
    message.set(url, `/${name}`);
    const bytes: unknown = message.get(value);
    if (schema === undefined || !(bytes instanceof Uint8Array)) return;
    const inner = fromBinary(schema, bytes);
    bareUrls(reflect(schema, inner), types);
    message.set(value, toBinary(schema, inner));
    return;
  }
  for (const field of message.desc.fields) {
    if (field.fieldKind === 'message' && message.isSet(field)) bareUrls(message.get(field), types);
    if (field.fieldKind === 'list' && field.listKind === 'message')
      for (const item of message.get(field)) if (isReflectMessage(item)) bareUrls(item, types);
  }
}
