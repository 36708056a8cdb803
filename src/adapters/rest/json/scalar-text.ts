/** Texts of single values: of a scalar or an enum as it was sent, and of one that was not. */
import { ScalarType, type DescEnum, type DescField } from '@bufbuild/protobuf';
import type { BinaryReader } from '@bufbuild/protobuf/wire';
import { hexData, upperHex } from '../../../core/bytes/hex.js';
import { isNullable } from '../../../core/sdk/codec/nullable.js';
import { jsonText } from '../../../core/text/json-text.js';
import { decimalOfWire } from './decimal.js';
import { goTypeOf, isWide } from './go-types.js';

/** Writes one value of a field. */
export type ElementReader = (reader: BinaryReader, depth: number) => string;

/** The form of fields that were not sent. */
export interface AbsentFields {
  /** Text of a bytes field. */
  readonly bytes: (field: DescField) => string;
  /** True when an absent message is null also where Go has no pointer: what is printed is then read as it was. */
  readonly nullMessages: boolean;
}

/** Reader of an enum: the name of its value, or the number of one that is not known. */
export function enumReader({ value, values }: DescEnum): ElementReader {
  const names = new Map(values.map(({ number, name }) => [number, JSON.stringify(name)]));
  return (reader) => {
    const number = reader.int32();
    return names.get(number) ?? String(value[number]?.number ?? number);
  };
}

/** Reader of a scalar; `field` tells the Go type that it stands for. */
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

/** Text of a scalar or an enum that was not sent. */
export function absentScalar(field: DescField & { fieldKind: 'scalar' | 'enum' }, absentFields: AbsentFields): string {
  if (field.fieldKind === 'enum')
    return JSON.stringify(field.enum.values.find(({ number }) => number === 0)?.name ?? 0);
  const goType = goTypeOf(field);
  if (goType === 'decimal' || goType === 'integer') return isNullable(field) ? 'null' : '"0"';
  if (field.scalar === ScalarType.BYTES) return absentFields.bytes(field);
  return absentPlain(field.scalar);
}

/** Text of a value of a map that was not sent. */
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

/** NaN and infinities, which JSON lacks, are written by their names, as protobuf does. */
function numberText(value: number): string {
  return Number.isFinite(value)
    ? String(value)
    : `"${Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'}"`;
}

/** Buffer's encoder is many times faster than one in script. */
export function toBase64({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('base64');
}
