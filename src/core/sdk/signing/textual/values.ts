/** Screens of protobuf values (ADR-050 of the Cosmos SDK; cosmos-sdk v0.53 `x/tx/signing/textual`). */
import { type DescField, type DescMessage, fromBinary, getOption, type Registry, ScalarType } from '@bufbuild/protobuf';
import { isReflectMessage, reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { AnySchema, DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { sha256 } from '@noble/hashes/sha2.js';
import { upperHex } from '../../../bytes/hex.js';
import { CoinSchema } from '../../../proto/cosmos/base/v1beta1/coin_pb.js';
import { scalar } from '../../../proto/cosmos_proto/cosmos_pb.js';
import { type CoinMetadata, coinsText } from './coins.js';
import { decimalText, integerText, NoTextualForm } from './numbers.js';
import { screen, type Screen, titled } from './screen.js';
import { durationText, timestampText } from './times.js';
import { typeNameOf } from '../../codec/any.js';

/** Builds screens of values; throws NoTextualForm for a value that cannot be shown. */
export class ValueScreens {
  readonly #types: Registry;
  readonly #metadata: CoinMetadata;

  /** `types` are those that an `Any` may contain. */
  constructor(types: Registry, metadata: CoinMetadata) {
    this.#types = types;
    this.#metadata = metadata;
  }

  message(value: ReflectMessage): readonly Screen[] {
    switch (value.desc.typeName) {
      case CoinSchema.typeName:
        return this.coins([value]);
      case TimestampSchema.typeName:
        return [screen(timestampText({ seconds: bigintOf(value, 1), nanos: Number(valueOf(value, 2)) }))];
      case DurationSchema.typeName:
        return [screen(durationText({ seconds: bigintOf(value, 1), nanos: Number(valueOf(value, 2)) }))];
      case AnySchema.typeName:
        return this.any(String(valueOf(value, 1)), bytesOf(valueOf(value, 2)));
      default:
        return [screen(`${value.desc.name} object`), ...this.#fields(value)];
    }
  }

  coins(values: readonly ReflectMessage[]): readonly Screen[] {
    const coins = values.map((value) => ({ denom: String(valueOf(value, 1)), amount: String(valueOf(value, 2)) }));
    return [screen(coinsText(coins, this.#metadata))];
  }

  /** Screens of an `Any`: its type, then its content without its first screen. */
  any(typeUrl: string, value: Uint8Array): readonly Screen[] {
    const schema = this.#types.getMessage(typeNameOf({ typeUrl }));
    if (schema === undefined) throw new NoTextualForm(`unable to resolve type URL ${typeUrl}`);
    const content = decoded(schema, value);
    if (!OWN_SCREENS.has(schema.typeName)) return [screen(typeUrl), ...this.#fields(content)];
    return [screen(typeUrl), ...this.message(content).map((one) => ({ ...one, indent: one.indent + 1 }))];
  }

  /** Screens of a list: its length and kind, its elements one level deeper, and its end. */
  list(name: string, kind: string, elements: readonly (readonly Screen[])[]): readonly Screen[] {
    const title = sentence(name);
    return [
      { ...screen(`${elements.length} ${sentence(kind)}`), title },
      ...elements.flatMap((element, index) => titled(`${title} (${index + 1}/${elements.length})`, element, 1)),
      screen(`End of ${title}`),
    ];
  }

  /** Screens of the set fields, by field number, one level deeper than their message. */
  #fields(message: ReflectMessage): readonly Screen[] {
    return message.desc.fields
      .toSorted((left, right) => left.number - right.number)
      .filter((field) => message.isSet(field))
      .flatMap((field) => this.#field(message, field));
  }

  #field(message: ReflectMessage, field: DescField): readonly Screen[] {
    if (field.fieldKind === 'map') throw new NoTextualForm('maps have no textual form');
    if (field.fieldKind !== 'list') return titled(sentence(field.name), this.#value(message.get(field), field), 1);
    const values = [...message.get(field)];
    if (field.message?.typeName === CoinSchema.typeName)
      return titled(sentence(field.name), this.coins(values.map(asMessage)), 1);
    const elements = values.map((value) => this.#value(value, field));
    return this.list(field.name, kindOf(field), elements).map((one) => ({ ...one, indent: one.indent + 1 }));
  }

  #value(value: unknown, field: DescField): readonly Screen[] {
    if (field.message !== undefined) return this.message(asMessage(value));
    if (field.enum !== undefined) {
      const known = field.enum.value[Number(value)];
      if (known === undefined) throw new NoTextualForm(`${field.enum.typeName} has no value ${Number(value)}`);
      return [screen(known.name)];
    }
    return [screen(scalarText(value, field))];
  }
}

/** Types with special screens. */
const OWN_SCREENS: ReadonlySet<string> = new Set(
  [CoinSchema, TimestampSchema, DurationSchema, AnySchema].map(({ typeName }) => typeName),
);

function scalarText(value: unknown, field: DescField): string {
  if (value instanceof Uint8Array) return bytesText(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (field.scalar !== undefined && INTEGERS.has(field.scalar)) return integerText(String(value));
  if (typeof value !== 'string') throw new NoTextualForm(`${field.name} has a type without a textual form`);
  const meaning = getOption(field, scalar);
  if (meaning === 'cosmos.Int') return integerText(value);
  return meaning === 'cosmos.Dec' ? decimalText(value) : value;
}

/** Integer types that can be shown; other kinds and floating point numbers cannot. */
const INTEGERS: ReadonlySet<ScalarType> = new Set([
  ScalarType.INT32,
  ScalarType.INT64,
  ScalarType.UINT32,
  ScalarType.UINT64,
]);

/** Longest bytes shown completely; of longer ones the hash is shown. */
const SHOWN_BYTES = 35;

/** Formats bytes as hex digits in groups of four. */
export function bytesText(bytes: Uint8Array): string {
  const digits = (value: Uint8Array): string => upperHex(value).replace(/(.{4})(?=.)/g, '$1 ');
  return bytes.length <= SHOWN_BYTES ? digits(bytes) : `SHA-256=${digits(sha256(bytes))}`;
}

/** Converts `from_address` to `From address`. */
export function sentence(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}

function kindOf(field: DescField): string {
  if (field.message !== undefined) return field.message.name;
  if (field.enum !== undefined) return field.enum.name;
  return field.scalar === undefined ? '' : ScalarType[field.scalar].toLowerCase();
}

function decoded(schema: DescMessage, value: Uint8Array): ReflectMessage {
  try {
    return reflect(schema, fromBinary(schema, value));
  } catch {
    throw new NoTextualForm(`cannot decode ${schema.typeName}`);
  }
}

function valueOf(message: ReflectMessage, number: number): unknown {
  const field = message.desc.fields.find((one) => one.number === number);
  return field === undefined ? undefined : message.get(field);
}

function bigintOf(message: ReflectMessage, number: number): bigint {
  const value = valueOf(message, number);
  return typeof value === 'bigint' ? value : 0n;
}

function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array(0);
}

function asMessage(value: unknown): ReflectMessage {
  if (isReflectMessage(value)) return value;
  throw new NoTextualForm('a message was expected');
}
