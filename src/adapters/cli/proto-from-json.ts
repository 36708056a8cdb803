/**
 * Reads the JSON of protobuf messages that the command line prints (`proto-json.ts`): decimals have a point, Ethereum
 * transactions are hexadecimal, durations are those of protobuf (`60s`) or of queries (`1m0s`).
 */
import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type MessageShape,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf';
import { isReflectMessage, reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { base64 } from '@scure/base';
import { utf8 } from '../../core/bytes/bytes.js';
import { bytesOfDigits } from '../../core/bytes/hex.js';
import { parseSignedDec } from '../../core/sdk/dec.js';
import { KNOWN_TYPES } from '../../core/sdk/known-types.js';
import { CommandError, EXIT } from './exit-codes.js';
import { isDecimal, isEthereumTransaction } from './proto-json.js';

const ANY = 'google.protobuf.Any';
const DURATION = 'google.protobuf.Duration';

/** Reads the format of `protoJson`; a usage error names the wrong member. `what` names the source in messages. */
export function protoFromJson<Schema extends DescMessage>(
  schema: Schema,
  json: JsonValue,
  what: string,
): MessageShape<Schema> {
  try {
    if (json === null) return create(schema);
    const message = fromJson(schema, plain(schema, json), { registry: KNOWN_TYPES });
    bareUrls(reflect(schema, message));
    return message;
  } catch (error) {
    throw new CommandError(EXIT.usage, `${what}: ${error instanceof Error ? error.message : 'not a transaction'}`);
  }
}

/** The JSON of protobuf for the JSON that is shown. */
function plain(schema: DescMessage, json: JsonValue): JsonValue {
  if (schema.typeName === DURATION && typeof json === 'string') return protobufDuration(json);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const type = schema.typeName === ANY ? json['@type'] : undefined;
  const shown = typeof type === 'string' ? KNOWN_TYPES.getMessage(type.replace(/^.*\//, '')) : schema;
  if (shown === undefined) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]): [string, JsonValue] => {
      const field = shown.fields.find(({ name, jsonName }) => name === key || jsonName === key);
      return [key, field === undefined ? value : plainField(field, value)];
    }),
  );
}

function plainField(field: DescField, json: JsonValue): JsonValue {
  if (field.fieldKind === 'message') return plain(field.message, json);
  if (field.fieldKind === 'list' && field.listKind === 'message' && Array.isArray(json))
    return json.map((item) => plain(field.message, item));
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

const SECONDS: Readonly<Record<string, bigint>> = { h: 3_600_000_000_000n, m: 60_000_000_000n, s: 1_000_000_000n };

/** Protobuf's text of a duration in hours, minutes and seconds (Go's `Duration.String`); other texts as they are. */
function protobufDuration(text: string): string {
  if (!/^([0-9]{1,12}h)?([0-9]{1,12}m)?([0-9]{1,12}(\.[0-9]{1,9})?s)$/.test(text)) return text;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(/([0-9]+)\.?([0-9]*)([hms])/g))
    nanos += BigInt(whole) * (SECONDS[unit] ?? 0n) + BigInt(fraction.padEnd(9, '0'));
  const rest = nanos % 1_000_000_000n;
  return `${nanos / 1_000_000_000n}${rest === 0n ? '' : `.${rest.toString().padStart(9, '0')}`}s`;
}

/** Writes type URLs as the SDK does, with a bare slash before the name, also in nested `Any` values. */
function bareUrls(message: ReflectMessage): void {
  const [url, value] = message.desc.fields;
  if (message.desc.typeName === ANY && url !== undefined && value !== undefined) {
    const typed: unknown = message.get(url);
    const name = typeof typed === 'string' ? typed.replace(/^.*\//, '') : '';
    const schema = KNOWN_TYPES.getMessage(name);
    message.set(url, `/${name}`);
    const bytes: unknown = message.get(value);
    if (schema === undefined || !(bytes instanceof Uint8Array)) return;
    const inner = fromBinary(schema, bytes);
    bareUrls(reflect(schema, inner));
    message.set(value, toBinary(schema, inner));
    return;
  }
  for (const field of message.desc.fields) {
    if (field.fieldKind === 'message' && message.isSet(field)) bareUrls(message.get(field));
    if (field.fieldKind === 'list' && field.listKind === 'message')
      for (const item of message.get(field)) if (isReflectMessage(item)) bareUrls(item);
  }
}
