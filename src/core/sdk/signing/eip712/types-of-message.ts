/**
 * Legacy typed data: types follow the Go struct of the first message, and fields without a value are omitted
 * (cosmos/evm v0.6 `ethereum/eip712/eip712_legacy.go`).
 */
import { type DescField, type DescMessage, fromBinary, getOption, type Registry, ScalarType } from '@bufbuild/protobuf';
import { isReflectMessage, reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { type Any, AnySchema, DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { customtype, jsontag, stdduration, stdtime } from '../../../proto/gogoproto/gogo_pb.js';
import { complete, isNumber } from '../../codec/complete-message.js';
import { membersOf, type TypedMember, type TypedMembers, structNameOf } from './type-names.js';
import { typeNameOf } from '../../codec/any.js';
import { isNullable } from '../../codec/nullable.js';

/** Thrown when the first message has a field that the Go code cannot describe. */
class NoTypes extends Error {}

/**
 * Types of a document whose messages all have the type of `first`; undefined when it cannot be described. `unpacked`:
 * the content of `Any` fields is known, which is so only in direct mode.
 */
export function typesOfMessage(first: Any, registry: Registry, unpacked: boolean): TypedMembers | undefined {
  try {
    const types: TypedMembers = {
      Tx: membersOf(
        'string account_number',
        'string chain_id',
        'Fee fee',
        'string memo',
        'Msg[] msgs',
        'string sequence',
      ),
      Fee: membersOf('string feePayer', 'Coin[] amount', 'string gas'),
      Msg: membersOf('string type', 'MsgValue value'),
    };
    const walk = new Walk(types, registry, unpacked);
    types['MsgValue'] = walk.members(unpack(first, registry, unpacked), '_');
    return types;
  } catch (error) {
    if (error instanceof NoTypes) return undefined;
    throw error;
  }
}

/**
 * Decodes like Go: integers are never empty; in amino mode decimals are not either, because JSON contains all of
 * them.
 */
function unpack({ typeUrl, value }: Any, registry: Registry, isDirect: boolean): ReflectMessage {
  const schema = registry.getMessage(typeNameOf({ typeUrl }));
  if (schema === undefined) throw new NoTypes();
  try {
    return reflect(schema, complete(schema, fromBinary(schema, value), isDirect ? 'integers' : 'numbers'));
  } catch {
    throw new NoTypes();
  }
}

class Walk {
  readonly #types: TypedMembers;
  readonly #registry: Registry;
  readonly #unpacked: boolean;

  constructor(types: TypedMembers, registry: Registry, unpacked: boolean) {
    this.#types = types;
    this.#registry = registry;
    this.#unpacked = unpacked;
  }

  members(message: ReflectMessage, path: string): readonly TypedMember[] {
    return message.desc.members.flatMap((member) => {
      if (member.kind === 'oneof') {
        // Go's struct of the selected field has no JSON name.
        if (member.fields.some((field) => message.isSet(field))) throw new NoTypes();
        return [];
      }
      const name = getOption(member, jsontag).split(',')[0] || member.name;
      const type = this.#typeOf(message, member, `${path}.${name}`);
      return type === undefined ? [] : [{ name, type }];
    });
  }

  /** Undefined for a field without a value, and for types that the Go code omits. */
  #typeOf(message: ReflectMessage, field: DescField, path: string): string | undefined {
    if (field.fieldKind === 'map') return undefined;
    if (field.fieldKind === 'list') {
      const [first] = message.get(field);
      if (first === undefined) return undefined;
      if (field.listKind !== 'message') return listOf(primitiveOf(field));
      return listOf(this.#typeOfMessage(asMessage(first), field, path));
    }
    // A decoded SDK integer is never empty in Go.
    if (field.fieldKind !== 'message')
      return message.isSet(field) || isNumber(field, 'integer') ? primitiveOf(field) : undefined;
    if (field.message.typeName === AnySchema.typeName && !message.isSet(field)) throw new NoTypes();
    if (!message.isSet(field)) return undefined;
    const value = message.get(field);
    return !isNullable(field) && isZero(value, field) ? undefined : this.#typeOfMessage(value, field, path);
  }

  #typeOfMessage(value: ReflectMessage, field: DescField, path: string): string {
    if (getOption(field, stdtime)) return 'string';
    if (getOption(field, stdduration)) return 'int64';
    if (value.desc.typeName === AnySchema.typeName) return this.#typeOfAny(value, path);
    return this.#define(path, this.members(value, path));
  }

  /** The Go code describes a message in an `Any` by amino's `type` and `value`. */
  #typeOfAny(value: ReflectMessage, path: string): string {
    const any = value.message;
    if (!this.#unpacked || !isAny(any) || any.typeUrl === '') throw new NoTypes();
    const content = unpack(any, this.#registry, this.#unpacked);
    const valuePath = `${path}.value`;
    const type =
      content.desc.typeName === ED25519 ? 'string' : this.#define(valuePath, this.members(content, valuePath));
    return this.#define(path, [...membersOf('string type'), { name: 'value', type }]);
  }

  #define(path: string, members: readonly TypedMember[]): string {
    const name = structNameOf(path);
    // go-ethereum rejects a document with a type that no struct has.
    if (members.length === 0) throw new NoTypes();
    this.#types[name] ??= members;
    return name;
  }
}

const ED25519 = 'cosmos.crypto.ed25519.PubKey';

const listOf = (type: string | undefined): string | undefined =>
  type === undefined || type.endsWith('[]') ? type : `${type}[]`;

/** Types of SDK integers and decimals: structs in Go, strings in JSON. */
const NUMBER_TEXT = /\.(Int|Uint|Dec|LegacyDec)$/;

function primitiveOf(field: DescField): string | undefined {
  if (field.enum !== undefined) return 'int32';
  if (NUMBER_TEXT.test(getOption(field, customtype))) return 'string';
  return field.scalar === undefined ? undefined : SCALARS[field.scalar];
}

const SCALARS: Readonly<Partial<Record<ScalarType, string>>> = {
  [ScalarType.STRING]: 'string',
  [ScalarType.BOOL]: 'bool',
  [ScalarType.BYTES]: 'uint8[]',
  [ScalarType.INT32]: 'int32',
  [ScalarType.SINT32]: 'int32',
  [ScalarType.SFIXED32]: 'int32',
  [ScalarType.UINT32]: 'uint32',
  [ScalarType.FIXED32]: 'uint32',
  [ScalarType.INT64]: 'int64',
  [ScalarType.SINT64]: 'int64',
  [ScalarType.SFIXED64]: 'int64',
  [ScalarType.UINT64]: 'uint64',
  [ScalarType.FIXED64]: 'uint64',
};

/** Seconds of Go's zero time, 0001-01-01. */
const ZERO_TIME = -62_135_596_800n;

/** True for a struct that has only zero values in Go. */
function isZero(value: ReflectMessage, field: DescField): boolean {
  const seconds = secondsOf(value.desc, value);
  if (getOption(field, stdtime)) return seconds === ZERO_TIME && hasNoNanos(value);
  if (getOption(field, stdduration)) return seconds === 0n && hasNoNanos(value);
  return value.desc.fields.every((inner) => {
    if (isNumber(inner, 'integer')) return false;
    if (!value.isSet(inner)) return true;
    return inner.fieldKind === 'message' && !isNullable(inner) && isZero(value.get(inner), inner);
  });
}

function secondsOf(desc: DescMessage, value: ReflectMessage): unknown {
  const known = desc.typeName === TimestampSchema.typeName || desc.typeName === DurationSchema.typeName;
  const [field] = desc.fields;
  return known && field !== undefined ? value.get(field) : undefined;
}

function hasNoNanos(value: ReflectMessage): boolean {
  const [, nanos] = value.desc.fields;
  return nanos === undefined || !value.isSet(nanos);
}

function isAny(message: object): message is Any {
  return '$typeName' in message && message.$typeName === AnySchema.typeName;
}

function asMessage(value: unknown): ReflectMessage {
  if (isReflectMessage(value)) return value;
  throw new NoTypes();
}
