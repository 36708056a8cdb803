import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';

/** Wire types of scalars that are not varints. */
const SCALARS: ReadonlyMap<ScalarType, WireType> = new Map([
  [ScalarType.STRING, WireType.LengthDelimited],
  [ScalarType.BYTES, WireType.LengthDelimited],
  [ScalarType.DOUBLE, WireType.Bit64],
  [ScalarType.FIXED64, WireType.Bit64],
  [ScalarType.SFIXED64, WireType.Bit64],
  [ScalarType.FLOAT, WireType.Bit32],
  [ScalarType.FIXED32, WireType.Bit32],
  [ScalarType.SFIXED32, WireType.Bit32],
]);

/** Wire type of a field, or of one element of a list or map. */
export function wireTypeOf({ scalar, enum: enumeration }: DescField): WireType {
  if (enumeration !== undefined) return WireType.Varint;
  return scalar === undefined ? WireType.LengthDelimited : (SCALARS.get(scalar) ?? WireType.Varint);
}
