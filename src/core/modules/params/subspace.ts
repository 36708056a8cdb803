/**
 * Legacy parameters of a module, under their names in x/params (cosmos-sdk v0.45 `x/params/types/subspace.go`): a
 * view of the module's own parameters. Values are amino JSON.
 */
import type { DescField, DescMessage, JsonObject, JsonValue, MessageShape } from '@bufbuild/protobuf';
import { encodeAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError, isJson } from '../../sdk/module/genesis-section.js';
import { readDecimalSection, writeDecimalSection } from '../../sdk/codec/proto-dec.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import { asObject, jsonOf } from '../../text/json-object.js';
import { governance } from '../authority.js';
import { NS_PER_SECOND } from '../../primitives.js';

/** Maps a key to one field of the module's parameters, or to an object of several. */
export type Keys = Readonly<Record<string, string | readonly string[]>>;

export interface Subspace {
  readonly name: string;
  /** Module that owns the parameters. */
  readonly module: string;
  readonly keys: readonly string[];
  /** Value as JSON text; empty for an unknown key. */
  readonly read: (context: Context, key: string) => string;
  /** Changes a value on behalf of gov's account; throws the module's SdkError. */
  readonly write: (context: Context, key: string, value: string) => void;
}

/** Creates a subspace. `update` changes the module's parameters on behalf of `authority`. */
export function subspace<Desc extends DescMessage>(
  { name, module = name }: { readonly name: string; readonly module?: string },
  schema: Desc,
  keys: Keys,
  read: (context: Context) => MessageShape<Desc>,
  update: (context: Context, authority: string, params: MessageShape<Desc>) => void,
): Subspace {
  const json = (context: Context): JsonObject => objectOf(writeDecimalSection(schema, read(context)));
  return {
    name,
    module,
    keys: Object.keys(keys),
    read(context, key) {
      const fields = keys[key];
      if (fields === undefined) return '';
      const all = json(context);
      return JSON.stringify(
        typeof fields === 'string'
          ? toAmino(schema, fields, all[fields])
          : Object.fromEntries(fields.map((field) => [field, toAmino(schema, field, all[field])])),
      );
    },
    write(context, key, value) {
      const fields = keys[key];
      if (fields === undefined) throw plainError(`parameter ${key} not registered`);
      const given = parsed(value);
      const changed = typeof fields === 'string' ? { [fields]: given } : objectOf(given, fields);
      const before = json(context);
      const after: Record<string, JsonValue> = { ...before };
      for (const [field, one] of Object.entries(changed)) after[field] = fromAmino(schema, field, one);
      update(context, encodeAddress(context.chain.bech32Prefix, governance(context)), readParams(schema, name, after));
    },
  };
}

function readParams<Desc extends DescMessage>(schema: Desc, name: string, json: JsonValue): MessageShape<Desc> {
  try {
    return readDecimalSection(name, schema, json);
  } catch (error) {
    if (error instanceof GenesisError) throw plainError(error.message);
    throw error;
  }
}

function parsed(text: string): JsonValue {
  const value = jsonOf(text);
  if (isJson(value)) return value;
  throw plainError(`not a JSON value: ${text}`);
}

/** Requires an object with no fields other than these. */
function objectOf(value: JsonValue, fields?: readonly string[]): JsonObject {
  const object = asObject(value);
  if (object === undefined || !isJson(object)) throw plainError('not a JSON object');
  const foreign = Object.keys(object).find((field) => fields?.includes(field) === false);
  if (foreign !== undefined) throw plainError(`unknown field ${foreign}`);
  return Object.fromEntries(Object.entries(object).flatMap(([key, one]) => (isJson(one) ? [[key, one]] : [])));
}

const isDuration = (field: DescField | undefined): boolean =>
  field?.fieldKind === 'message' && field.message.typeName === 'google.protobuf.Duration';

const fieldOf = (schema: DescMessage, name: string): DescField | undefined =>
  schema.fields.find((field) => field.name === name);

/** Converts protobuf JSON to amino JSON, in which durations are nanoseconds. */
function toAmino(schema: DescMessage, name: string, value: JsonValue = null): JsonValue {
  const field = fieldOf(schema, name);
  if (!isDuration(field)) return within(field, value, toAmino);
  if (typeof value !== 'string') return value;
  const [whole = '0', fraction = ''] = value.replace('s', '').split('.');
  return (BigInt(whole) * NS_PER_SECOND + BigInt(fraction.padEnd(9, '0'))).toString();
}

function fromAmino(schema: DescMessage, name: string, value: JsonValue = null): JsonValue {
  const field = fieldOf(schema, name);
  if (!isDuration(field)) return within(field, value, fromAmino);
  if (typeof value !== 'string' || !/^[0-9]{1,19}$/.test(value)) throw plainError('not nanoseconds as text');
  const nanos = BigInt(value);
  return `${nanos / NS_PER_SECOND}.${(nanos % NS_PER_SECOND).toString().padStart(9, '0')}s`;
}

/** Converts the fields of a nested message. */
function within(field: DescField | undefined, value: JsonValue, convert: typeof toAmino): JsonValue {
  const object = asObject(value);
  if (field?.fieldKind !== 'message' || object === undefined || !isJson(object)) return value;
  return Object.fromEntries(
    Object.entries(objectOf(object)).map(([name, one]) => [name, convert(field.message, name, one)]),
  );
}
