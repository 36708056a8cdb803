/** Parses integers like Go's `strconv.ParseInt` and `ParseUint` (pkg.go.dev/strconv#ParseInt). */
import { ScalarType } from '@bufbuild/protobuf';
import { FIXED_LIMITS } from '../../../core/limits/limits.js';

export interface IntegerType {
  readonly name: 'ParseInt' | 'ParseUint';
  readonly minimum: bigint;
  readonly maximum: bigint;
}

/** An integer, or the parse error. */
export type ParsedInteger =
  | { readonly ok: true; readonly value: bigint }
  | { readonly ok: false; readonly why: 'invalid syntax' | 'value out of range' };

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

/** Range and Go function name of an integer type; undefined for other types. */
export function integerType(scalar: ScalarType): IntegerType | undefined {
  return INTEGERS.get(scalar);
}

const DECIMAL = /^[+-]?([0-9]+)$/;
const PREFIXED = /^[+-]?(0x(?:_?[0-9a-f])+|0b(?:_?[01])+|0o(?:_?[0-7])+)$/i;
const OCTAL = /^[+-]?0((?:_?[0-7])+)$/;
const PARTED = /^[+-]?([1-9](?:_?[0-9])*|0)$/;

/** Parses an integer of a JSON body, base 10. */
export function parseDecimalInteger(text: string, type: IntegerType): ParsedInteger {
  return inRange(text, DECIMAL.exec(text)?.[1], type);
}

/**
 * Parses an integer of a path or query with base 0, like grpc-gateway v1 `runtime/convert.go`: prefixes `0x`, `0o`,
 * `0b` and `0` set the base, and `_` may separate digits.
 */
export function parseInteger(text: string, type: IntegerType): ParsedInteger {
  const octal = OCTAL.exec(text)?.[1];
  const literal = octal === undefined ? (PREFIXED.exec(text) ?? PARTED.exec(text))?.[1] : `0o${octal}`;
  return inRange(text, literal?.replaceAll('_', ''), type);
}

/** Checks the range of `literal`, the number in `text` without sign. */
function inRange(text: string, literal: string | undefined, { name, minimum, maximum }: IntegerType): ParsedInteger {
  const signed = text.startsWith('-') || text.startsWith('+');
  if (literal === undefined || (signed && name === 'ParseUint')) return { ok: false, why: 'invalid syntax' };
  const magnitude = literal.length > FIXED_LIMITS.scalarDigits ? maximum + 2n : BigInt(literal);
  const value = text.startsWith('-') ? -magnitude : magnitude;
  return value < minimum || value > maximum ? { ok: false, why: 'value out of range' } : { ok: true, value };
}
