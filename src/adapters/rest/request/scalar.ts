/** Values of one field: parsed from texts of paths and queries as Go's strconv does, and written to the wire. */
import { ScalarType, type DescField } from '@bufbuild/protobuf';
import { WireType, type BinaryWriter } from '@bufbuild/protobuf/wire';
import { wireOfDecimal } from '../json/decimal.js';
import { goTypeOf } from '../json/go-types.js';
import { bytesOfText } from './base64.js';
import { FIXED_LIMITS } from '../../../core/limits.js';

export type WireValue = string | number | bigint | boolean | Uint8Array;

export type Parsed =
  | { readonly ok: true; readonly value: WireValue }
  | { readonly ok: false; readonly message: string };

interface IntegerType {
  readonly name: 'ParseInt' | 'ParseUint';
  readonly minimum: bigint;
  readonly maximum: bigint;
}

const integer = (bits: bigint, signed: boolean): IntegerType =>
  signed
    ? { name: 'ParseInt', minimum: -(2n ** (bits - 1n)), maximum: 2n ** (bits - 1n) - 1n }
    : { name: 'ParseUint', minimum: 0n, maximum: 2n ** bits - 1n };

const INTEGERS: ReadonlyMap<ScalarType, IntegerType> = new Map([
  [ScalarType.INT32, integer(32n, true)],
  [ScalarType.SINT32, integer(32n, true)],
  [ScalarType.SFIXED32, integer(32n, true)],
  [ScalarType.UINT32, integer(32n, false)],
  [ScalarType.FIXED32, integer(32n, false)],
  [ScalarType.INT64, integer(64n, true)],
  [ScalarType.SINT64, integer(64n, true)],
  [ScalarType.SFIXED64, integer(64n, true)],
  [ScalarType.UINT64, integer(64n, false)],
  [ScalarType.FIXED64, integer(64n, false)],
]);

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** The type's name in Go, for error texts; undefined unless the type is an integer. */
export function integerType(scalar: ScalarType): IntegerType | undefined {
  return INTEGERS.get(scalar);
}

/** Parses a text of a path or a query as a value of this field, or of one of its elements. */
export function parseText(field: DescField, text: string): Parsed {
  if (field.enum !== undefined) return parseEnum(field, text);
  const scalar = field.scalar ?? ScalarType.STRING;
  const range = INTEGERS.get(scalar);
  if (range !== undefined) return parseInteger(text, range);
  if (scalar === ScalarType.BOOL) {
    if (TRUE.has(text)) return { ok: true, value: true };
    return FALSE.has(text) ? { ok: true, value: false } : refuse('ParseBool', text, 'invalid syntax');
  }
  if (scalar === ScalarType.FLOAT || scalar === ScalarType.DOUBLE) {
    return /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text)
      ? { ok: true, value: Number(text) }
      : refuse('ParseFloat', text, 'invalid syntax');
  }
  return scalar === ScalarType.BYTES ? bytesOfText(text) : parsePlain(field, text);
}

/** Parses a text field; the text may be a decimal. */
export function parsePlain(field: DescField, text: string): Parsed {
  if (goTypeOf(field) !== 'decimal') return { ok: true, value: text };
  const value = wireOfDecimal(text);
  return value === undefined
    ? { ok: false, message: `failed to set decimal string: ${quote(text)}` }
    : { ok: true, value };
}

function parseInteger(text: string, { name, minimum, maximum }: IntegerType): Parsed {
  const syntax = name === 'ParseInt' ? /^[+-]?[0-9]+$/ : /^[0-9]+$/;
  if (!syntax.test(text)) return refuse(name, text, 'invalid syntax');
  const value = text.length > FIXED_LIMITS.scalarDigits ? maximum + 1n : BigInt(text.replace(/^\+/, ''));
  return value < minimum || value > maximum ? refuse(name, text, 'value out of range') : { ok: true, value };
}

/** Parses an enum by name or by number. */
function parseEnum(field: DescField, text: string): Parsed {
  const known = field.enum?.values.find(({ name }) => name === text);
  if (known !== undefined) return { ok: true, value: known.number };
  if (/^-?[0-9]{1,10}$/.test(text) && Math.abs(Number(text)) < 2 ** 31) return { ok: true, value: Number(text) };
  const typeName = field.enum?.typeName.split('.').slice(-2).join('.') ?? '';
  return { ok: false, message: `${shorten(text)} is not a valid ${typeName}` };
}

function refuse(name: string, text: string, why: string): Parsed {
  return { ok: false, message: `strconv.${name}: parsing ${quote(text)}: ${why}` };
}

function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

/** Shortens a text, so that an error does not repeat a whole request. */
function shorten(text: string): string {
  return text.length > 128 ? `${text.slice(0, 128)}...` : text;
}

/** Writes a field with `value`; enums are written as numbers. */
export function writeValue(writer: BinaryWriter, number: number, scalar: ScalarType, value: WireValue): void {
  if (value instanceof Uint8Array) writer.tag(number, WireType.LengthDelimited).bytes(value);
  else if (typeof value === 'string') writer.tag(number, WireType.LengthDelimited).string(value);
  else if (typeof value === 'boolean') writer.tag(number, WireType.Varint).bool(value);
  else if (typeof value === 'bigint') writeInteger(writer, number, scalar, value);
  else if (scalar === ScalarType.FLOAT) writer.tag(number, WireType.Bit32).float(value);
  else if (scalar === ScalarType.DOUBLE) writer.tag(number, WireType.Bit64).double(value);
  else writeInteger(writer, number, scalar, BigInt(value));
}

type IntegerWriter = (writer: BinaryWriter, number: number, value: bigint) => void;

const INTEGER_WRITERS: ReadonlyMap<ScalarType, IntegerWriter> = new Map<ScalarType, IntegerWriter>([
  [ScalarType.UINT64, (writer, number, value) => writer.tag(number, WireType.Varint).uint64(value)],
  [ScalarType.SINT64, (writer, number, value) => writer.tag(number, WireType.Varint).sint64(value)],
  [ScalarType.SINT32, (writer, number, value) => writer.tag(number, WireType.Varint).sint32(Number(value))],
  [ScalarType.FIXED64, (writer, number, value) => writer.tag(number, WireType.Bit64).fixed64(value)],
  [ScalarType.SFIXED64, (writer, number, value) => writer.tag(number, WireType.Bit64).sfixed64(value)],
  [ScalarType.FIXED32, (writer, number, value) => writer.tag(number, WireType.Bit32).fixed32(Number(value))],
  [ScalarType.SFIXED32, (writer, number, value) => writer.tag(number, WireType.Bit32).sfixed32(Number(value))],
]);

/** Writes an integer type without a writer of its own: all 64 bits, of which a reader keeps the bits of its type. */
function writeInteger(writer: BinaryWriter, number: number, scalar: ScalarType, value: bigint): void {
  const write = INTEGER_WRITERS.get(scalar);
  if (write === undefined) writer.tag(number, WireType.Varint).int64(value);
  else write(writer, number, value);
}
