/**
 * Amino JSON of protobuf messages, derived from their options as in the SDK (cosmos-sdk v0.53
 * `x/tx/signing/aminojson`): the sign bytes of hardware wallets and, with other type names, the output of the SDK's
 * command line.
 */
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  fromBinary,
  type JsonObject,
  type JsonValue,
  type Registry,
} from '@bufbuild/protobuf';
import { isReflectMessage, reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { base64 } from '@scure/base';
import { upperHex } from '../../bytes/hex.js';
import { formatTime, fromTimestamp, isTimestamp } from '../../comet/time.js';
import { PubKeySchema } from '../../proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { goDuration } from '../go/go-duration.js';
import { type FieldPlan, planOf } from './amino-plan.js';
import { decimalText, goDecimalJson, scalarJson } from './amino-scalars.js';
import { typeNameOf } from './any.js';
import { complete } from './complete-message.js';
import { normalizeNumbers } from './message-numbers.js';
import { fieldOutsideUtf8, isReadByReflection } from './utf8-texts.js';
import { NS_PER_SECOND } from '../../primitives.js';

export interface AminoJsonOptions {
  /**
   * `amino`, for sign bytes: amino names of messages in an `Any`, enums by number, durations in nanoseconds. `url`,
   * for the command line: type URLs, enums by name, durations in Go's form.
   */
  readonly names: 'amino' | 'url';
  /** Types that an `Any` may contain. */
  readonly registry: Registry;
  /**
   * Amino names by type URL that replace those in the options, as when Go code registers types by name. All other
   * types without a name in the options, and those listed as undefined, have no name. When absent, a type without a
   * name uses its type URL (`getMessageAminoNameAny` in `options.go`).
   */
  readonly renamed?: Readonly<Record<string, string | undefined>>;
  /**
   * True: write like go-amino. Empty fields without `omitempty` in Go are kept, decimals follow their Go type,
   * Ethereum keys are strings, and a message without a name in an `Any` is written as its fields only.
   */
  readonly goTags?: boolean;
  /**
   * Messages whose strings must be UTF-8: those that Go reads by reflection, with all messages in their `Any` fields
   * (cosmossdk.io/x/tx v0.14 `signing/aminojson/any.go`), or all messages. Absent: no message.
   */
  readonly utf8?: 'by reflection' | 'all';
}

/**
 * Thrown when a message has no amino JSON: it or a nested message has an unknown type, does not decode, has no amino
 * name, or violates the `utf8` rule.
 */
export class NoAminoForm extends Error {}

/** JSON of an `Any` with its type. Throws NoAminoForm. */
export function aminoAny(typeUrl: string, value: Uint8Array, options: AminoJsonOptions): JsonObject {
  const schema = options.registry.getMessage(typeNameOf({ typeUrl }));
  if (schema === undefined) throw new NoAminoForm(`unable to resolve type URL ${typeUrl}`);
  const name = options.names === 'url' ? typeUrl : aminoNameOf(schema, typeUrl, options);
  if (name === '') throw new NoAminoForm(`${typeUrl} has no amino name`);
  return { type: name, value: contentJson(schema, value, options) };
}

/** JSON of a nested `Any`. */
function nestedAny(typeUrl: string, value: Uint8Array, options: AminoJsonOptions): JsonValue {
  const schema = options.registry.getMessage(typeNameOf({ typeUrl }));
  const isBare = options.goTags === true && schema !== undefined && aminoNameOf(schema, typeUrl, options) === '';
  return isBare ? contentJson(schema, value, options) : aminoAny(typeUrl, value, options);
}

function contentJson(schema: DescMessage, value: Uint8Array, options: AminoJsonOptions): JsonValue {
  const message = decoded(schema, value, options);
  if (options.utf8 === undefined || (options.utf8 === 'by reflection' && !isReadByReflection(schema)))
    return messageJson(message, options);
  const field = fieldOutsideUtf8(schema, value);
  if (field !== undefined) throw new NoAminoForm(`field ${field} contains invalid UTF-8`);
  return messageJson(message, { ...options, utf8: 'all' });
}

function aminoNameOf(schema: DescMessage, typeUrl: string, { renamed }: AminoJsonOptions): string {
  const { aminoName } = planOf(schema);
  if (renamed === undefined) return aminoName === '' ? `/${schema.typeName}` : aminoName;
  return Object.hasOwn(renamed, typeUrl) ? (renamed[typeUrl] ?? '') : aminoName;
}

/**
 * Decodes a message as Go re-encodes it: the SDK normalizes the content of an `Any` (v0.53
 * `codec/types/interface_registry.go`). go-amino leaves absent decimals absent.
 */
function decoded(schema: DescMessage, value: Uint8Array, { goTags }: AminoJsonOptions): ReflectMessage {
  try {
    const message = fromBinary(schema, value);
    normalizeNumbers(schema, message);
    return reflect(schema, complete(schema, message, goTags === true ? 'integers' : 'numbers'));
  } catch {
    throw new NoAminoForm(`cannot decode ${schema.typeName}`);
  }
}

/** Writes fields in the order of their declaration. Throws NoAminoForm. */
export function aminoJson(message: ReflectMessage, options: AminoJsonOptions): JsonValue {
  return messageJson(message, options);
}

function messageJson(message: ReflectMessage, options: AminoJsonOptions): JsonValue {
  const known = WELL_KNOWN[message.desc.typeName];
  if (known !== undefined) return known(message, options);
  const { encoding, fields } = planOf(message.desc);
  if (encoding === 'key_field' || (options.goTags === true && message.desc.typeName === PubKeySchema.typeName))
    return keyJson(bytesOf(message, 'key'), options);
  if (encoding === 'threshold_string') return thresholdJson(message, options);
  if (encoding === 'module_account') return moduleAccount(message);
  const out: Record<string, JsonValue> = {};
  for (const plan of fields) {
    const { oneof } = plan;
    if (oneof !== undefined) {
      if (message.isSet(plan.field))
        out[oneof.name] = { type: oneof.type, value: { [plan.name]: fieldJson(message, plan, options) } };
      else out[oneof.name] ??= null;
      continue;
    }
    const kept = message.isSet(plan.field) && !isEmptyList(message, plan.field);
    if (kept || plan.keptEmpty || (options.goTags === true && (plan.keptInGo || plan.isGoDecimal)))
      out[plan.name] = fieldJson(message, plan, options);
  }
  return out;
}

/**
 * JSON of a public key; the SDK writes `null` for an empty key (`cosmossdk.io/x/tx` v0.14.0
 * `signing/aminojson/encoder.go`).
 */
function keyJson(key: Uint8Array, { goTags }: AminoJsonOptions): JsonValue {
  return key.length === 0 && goTags !== true ? null : base64.encode(key);
}

function isEmptyList(message: ReflectMessage, field: DescField): boolean {
  return field.fieldKind === 'list' && message.get(field).size === 0;
}

function fieldJson(
  message: ReflectMessage,
  { field, meaning, isNull, isGoCoins, isGoDecimal, isGoHex }: FieldPlan,
  options: AminoJsonOptions,
): JsonValue {
  switch (field.fieldKind) {
    case 'list':
      if (isNull && options.names === 'amino' && message.get(field).size === 0)
        return options.goTags === true && isGoCoins ? [] : null;
      return [...message.get(field)].map((item) => valueJson(item, field, meaning, options));
    case 'map':
      throw new NoAminoForm(`${message.desc.typeName}.${field.name}: maps have no amino form`);
    case 'message':
      if (message.isSet(field)) return messageJson(message.get(field), options);
      // `cosmossdk.io/x/tx` v0.14.0 `signing/aminojson/json_marshal.go` refuses the same value.
      if (options.names === 'amino')
        throw new NoAminoForm(`not supported: dont_omit_empty=true on invalid (nil?) message field: ${field.name}`);
      return null;
    case 'enum':
      return enumJson(field.enum, message.get(field), options);
    case 'scalar':
      if (options.goTags === true && isGoDecimal) return goDecimalJson(message.get(field));
      if (options.goTags === true && isGoHex) return upperHex(bytesOf(message, field.name));
      return scalarJson(message.get(field), meaning);
  }
}

function valueJson(
  value: unknown,
  field: DescField & { readonly fieldKind: 'list' },
  meaning: string,
  options: AminoJsonOptions,
): JsonValue {
  if (field.listKind === 'message') return messageJson(asMessage(value), options);
  if (field.listKind === 'enum') return enumJson(field.enum, Number(value), options);
  return scalarJson(value, meaning);
}

function enumJson(schema: DescEnum, value: number, { names }: AminoJsonOptions): JsonValue {
  return names === 'amino' ? value : (schema.value[value]?.name ?? value);
}

/** JSON of a multisig key; the SDK writes the threshold as a string. */
function thresholdJson(message: ReflectMessage, options: AminoJsonOptions): JsonObject {
  const keys = message.desc.fields.find(({ name }) => name === 'public_keys');
  if (keys?.fieldKind !== 'list' || keys.listKind !== 'message') throw new NoAminoForm('not a key with a threshold');
  const pubkeys = [...message.get(keys)].map((key) => messageJson(asMessage(key), options));
  return { pubkeys, threshold: String(fieldOf(message, 'threshold')) };
}

/** JSON of a module account; the SDK writes its numbers and an empty key. */
function moduleAccount(message: ReflectMessage): JsonObject {
  const [baseField, nameField, permissionsField] = message.desc.fields;
  if (baseField?.fieldKind !== 'message' || nameField?.fieldKind !== 'scalar' || permissionsField?.fieldKind !== 'list')
    throw new NoAminoForm('not a module account');
  const base = message.get(baseField);
  const number = (field: string): number => Number(fieldOf(base, field));
  return {
    account_number: number('account_number'),
    address: String(fieldOf(base, 'address')),
    name: String(message.get(nameField)),
    // An empty Go slice is null.
    permissions: message.get(permissionsField).size === 0 ? null : [...message.get(permissionsField)].map(String),
    public_key: '',
    sequence: number('sequence'),
  };
}

const WELL_KNOWN: Readonly<Record<string, (message: ReflectMessage, options: AminoJsonOptions) => JsonValue>> = {
  'google.protobuf.Any': (message, options) => {
    const typeUrl = String(fieldOf(message, 'type_url'));
    return typeUrl === '' ? null : nestedAny(typeUrl, bytesOf(message, 'value'), options);
  },
  // The command line shows a DecCoin as one string.
  'cosmos.base.v1beta1.DecCoin': (message, { names }) => {
    const [denom, amount] = [String(fieldOf(message, 'denom')), decimalText(String(fieldOf(message, 'amount')))];
    return names === 'amino' ? { denom, amount } : `${amount}${denom}`;
  },
  'google.protobuf.Timestamp': (message) =>
    timestampText(BigInt(String(fieldOf(message, 'seconds'))), Number(fieldOf(message, 'nanos'))),
  'google.protobuf.Duration': (message, { names }) => {
    const nanos =
      BigInt(String(fieldOf(message, 'seconds'))) * NS_PER_SECOND + BigInt(Number(fieldOf(message, 'nanos')));
    return names === 'amino' ? nanos.toString() : goDuration(nanos);
  },
};

/** Formats a time like Go's RFC3339Nano. Throws NoAminoForm for an invalid time. */
export function timestampText(seconds: bigint, nanos: number): string {
  if (!isTimestamp({ seconds, nanos })) throw new NoAminoForm('time out of range');
  return formatTime(fromTimestamp({ seconds, nanos }));
}

function fieldOf(message: ReflectMessage, name: string): unknown {
  const field = message.desc.fields.find((one) => one.name === name);
  return field === undefined ? undefined : message.get(field);
}

function bytesOf(message: ReflectMessage, name: string): Uint8Array {
  const value = fieldOf(message, name);
  return value instanceof Uint8Array ? value : new Uint8Array(0);
}

function asMessage(value: unknown): ReflectMessage {
  if (isReflectMessage(value)) return value;
  throw new NoAminoForm('a list of messages holds something else');
}
