/** Scalar field values: parsed from path and query texts like Go's strconv, and encoded. */
import { ScalarType, type DescField } from '@bufbuild/protobuf';
import { WireType, type BinaryWriter } from '@bufbuild/protobuf/wire';
import { wireOfDecimal } from '../json/decimal.js';
import { goTypeName, goTypeOf } from '../json/go-types.js';
import { bytesOfText } from './base64.js';
import { integerType, parseInteger, type IntegerType, type ParsedInteger } from './integer.js';

export type WireValue = string | number | bigint | boolean | Uint8Array;

export type Parsed =
  | { readonly ok: true; readonly value: WireValue }
  | { readonly ok: false; readonly message: string };

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** Parses a path or query text as a value of the field or of its elements. */
export function parseText(field: DescField, text: string): Parsed {
  if (field.enum !== undefined) return parseEnum(field, text);
  const scalar = field.scalar ?? ScalarType.STRING;
  const type = integerType(scalar);
  if (type !== undefined) return integerOf(text, type, parseInteger(text, type));
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

/** Parses a string field, which may be a decimal. */
export function parsePlain(field: DescField, text: string): Parsed {
  if (goTypeOf(field) !== 'decimal') return { ok: true, value: text };
  const value = wireOfDecimal(text);
  return value === undefined
    ? { ok: false, message: `failed to set decimal string: ${quote(text)}` }
    : { ok: true, value };
}

/** Converts a parse result; an error has Go's text. */
export function integerOf(text: string, { name }: IntegerType, parsed: ParsedInteger): Parsed {
  return parsed.ok ? parsed : refuse(name, text, parsed.why);
}

/** Parses an enum by name or by the number of an existing value. */
function parseEnum(field: DescField, text: string): Parsed {
  const values = field.enum?.values ?? [];
  const isNumber = /^[+-]?[0-9]{1,10}$/.test(text);
  const known = values.find(({ name, number }) => name === text || (isNumber && number === Number(text)));
  if (known !== undefined) return { ok: true, value: known.number };
  const typeName = field.enum === undefined ? '' : goTypeName(field.enum);
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

/** Writes other integer types as 64 bits; readers truncate them to their type. */
function writeInteger(writer: BinaryWriter, number: number, scalar: ScalarType, value: bigint): void {
  const write = INTEGER_WRITERS.get(scalar);
  if (write === undefined) writer.tag(number, WireType.Varint).int64(value);
  else write(writer, number, value);
}
