/** JSON texts of scalar and enum values, present or absent. */
import { ScalarType, type DescEnum, type DescField } from '@bufbuild/protobuf';
import type { BinaryReader } from '@bufbuild/protobuf/wire';
import { hexData, upperHex } from '../../../core/bytes/hex.js';
import { isNullable } from '../../../core/sdk/codec/nullable.js';
import { jsonText } from '../../../core/text/json-text.js';
import { decimalOfWire } from './decimal.js';
import { goTypeOf, isWide } from './go-types.js';

/** Reads one value of a field as JSON text. */
export type ElementReader = (reader: BinaryReader, depth: number) => string;

/** How absent fields are written. */
export interface AbsentFields {
  /** JSON text of an absent bytes field. */
  readonly bytes: (field: DescField) => string;
  /**
   * True if an absent message is null even if it is not a pointer in Go, so that printed JSON can be read back
   * exactly.
   */
  readonly nullMessages: boolean;
}

/** Reader of an enum: writes the value's name, or its number if unknown. */
export function enumReader({ value, values }: DescEnum): ElementReader {
  const names = new Map(values.map(({ number, name }) => [number, JSON.stringify(name)]));
  return (reader) => {
    const number = reader.int32();
    return names.get(number) ?? String(value[number]?.number ?? number);
  };
}

/** Reader of a scalar; `field` determines its Go type. */
export function scalarReader(scalar: ScalarType, field: DescField | undefined): ElementReader {
  const goType = field === undefined ? 'plain' : goTypeOf(field);
  if (scalar === ScalarType.STRING)
    return goType === 'decimal'
      ? (reader) => jsonText(decimalOfWire(reader.string()))
      : (reader) => jsonText(reader.string());
  if (scalar === ScalarType.BYTES) {
    if (goType === 'ethereum-tx') return (reader) => `"${hexData(reader.bytes())}"`;
    if (goType === 'hex') return (reader) => `"${upperHex(reader.bytes())}"`;
    if (goType === 'plain') return (reader) => `"${toBase64(reader.bytes())}"`;
    return (reader) => jsonText(goType === 'decimal' ? decimalOfWire(reader.string()) : reader.string());
  }
  if (scalar === ScalarType.BOOL) return (reader) => (reader.bool() ? 'true' : 'false');
  if (scalar === ScalarType.DOUBLE) return (reader) => numberText(reader.double());
  if (scalar === ScalarType.FLOAT) return (reader) => numberText(reader.float());
  const read = INTEGER_READERS[scalar];
  return isWide(scalar) ? (reader) => `"${read(reader)}"` : (reader) => String(read(reader));
}

/** JSON text of an absent scalar or enum. */
export function absentScalar(field: DescField & { fieldKind: 'scalar' | 'enum' }, absentFields: AbsentFields): string {
  if (field.fieldKind === 'enum')
    return JSON.stringify(field.enum.values.find(({ number }) => number === 0)?.name ?? 0);
  const goType = goTypeOf(field);
  if (goType === 'decimal' || goType === 'integer') return isNullable(field) ? 'null' : '"0"';
  if (field.scalar === ScalarType.BYTES) return absentFields.bytes(field);
  return absentPlain(field.scalar);
}

/** JSON text of an absent map value. */
export function absentMapValue(field: DescField & { fieldKind: 'map' }): string {
  return field.mapKind === 'scalar' ? absentPlain(field.scalar) : 'null';
}

function absentPlain(scalar: ScalarType): string {
  return ABSENT_SCALAR.get(scalar) ?? (isWide(scalar) ? '"0"' : '0');
}

const ABSENT_SCALAR: ReadonlyMap<ScalarType, string> = new Map([
  [ScalarType.STRING, '""'],
  [ScalarType.BYTES, 'null'],
  [ScalarType.BOOL, 'false'],
]);

const INTEGER_READERS = {
  [ScalarType.INT32]: (reader) => reader.int32(),
  [ScalarType.UINT32]: (reader) => reader.uint32(),
  [ScalarType.SINT32]: (reader) => reader.sint32(),
  [ScalarType.FIXED32]: (reader) => reader.fixed32(),
  [ScalarType.SFIXED32]: (reader) => reader.sfixed32(),
  [ScalarType.INT64]: (reader) => reader.int64(),
  [ScalarType.UINT64]: (reader) => reader.uint64(),
  [ScalarType.SINT64]: (reader) => reader.sint64(),
  [ScalarType.FIXED64]: (reader) => reader.fixed64(),
  [ScalarType.SFIXED64]: (reader) => reader.sfixed64(),
} as const satisfies Readonly<Partial<Record<ScalarType, (reader: BinaryReader) => number | bigint | string>>>;

/** Writes a float; NaN and infinities are strings, as in proto JSON. */
function numberText(value: number): string {
  return Number.isFinite(value)
    ? String(value)
    : `"${Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'}"`;
}

/** Encodes base64 with Buffer, which is many times faster than JavaScript code. */
export function toBase64({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('base64');
}
