/**
 * Numbers that protobuf messages hold as text. Go parses them like its literals: with a sign, in base 2, 8 or 16,
 * with underscores between digits (Go `math/big` Int.UnmarshalText; `cosmossdk.io/math` v1.5.3 Int and LegacyDec
 * Unmarshal). A transaction with other text, or a number out of range, does not decode.
 */
import { type DescField, type DescMessage } from '@bufbuild/protobuf';
import { text, utf8 } from '../../bytes/bytes.js';
import { customTypeOf } from './custom-type.js';
import { DEC_LIMIT } from '../coins/dec.js';
import { quotedBytes } from '../go/go-text.js';
import { isNullable } from './nullable.js';

/** Thrown for text that is not a number of its field, with Go's text. */
export class WrongNumber extends Error {}

const TYPES: ReadonlyMap<string, 'integer' | 'decimal'> = new Map([
  ['cosmossdk.io/math.Int', 'integer'],
  ['cosmossdk.io/math.LegacyDec', 'decimal'],
]);
const CANONICAL = /^(?:0|-?[1-9][0-9]{0,76})$/;
const INTEGER_BITS = 256;
/** Maximum digits after leading zeros: longer numbers are out of range in every base and are not parsed. */
const MOST_DIGITS = 1024;

/** Kind of number in a text field; undefined for other fields. */
export function numberOf(field: DescField): 'integer' | 'decimal' | undefined {
  return TYPES.get(customTypeOf(field) ?? '');
}

/** Canonical text of a number as Go writes it; empty text means an absent number. Throws WrongNumber. */
export function canonicalNumber(kind: 'integer' | 'decimal', given: string): string {
  if (given === '' || CANONICAL.test(given)) return given;
  const value = parseLiteral(given);
  if (value === undefined)
    throw new WrongNumber(`math/big: cannot unmarshal ${quotedBytes(utf8(given))} into a *big.Int`);
  const size = value < 0n ? -value : value;
  if (kind === 'decimal' && size > DEC_LIMIT) throw new WrongNumber('decimal out of range');
  const bits = size.toString(2).length;
  if (kind === 'integer' && bits > INTEGER_BITS)
    throw new WrongNumber(`integer out of range; got: ${bits}, max: ${INTEGER_BITS}`);
  return value.toString();
}

/** Requires the bytes of a text field to be a valid number. Throws WrongNumber. */
export function requireNumber(kind: 'integer' | 'decimal', bytes: Uint8Array): void {
  canonicalNumber(kind, text(bytes));
}

const LITERALS: readonly (readonly [form: RegExp, prefix: string])[] = [
  [/^(0|[1-9](?:_?[0-9])*)$/, ''],
  [/^0[xX]((?:_?[0-9a-fA-F])+)$/, '0x'],
  [/^0[oO]?((?:_?[0-7])+)$/, '0o'],
  [/^0[bB]((?:_?[01])+)$/, '0b'],
];

function parseLiteral(given: string): bigint | undefined {
  const [, sign = '', unsigned = ''] = /^([+-]?)(.*)$/s.exec(given) ?? [];
  for (const [form, prefix] of LITERALS) {
    const digits = form.exec(unsigned)?.[1];
    if (digits === undefined) continue;
    const significant = digits.replaceAll('_', '').replace(/^0+(?=.)/, '');
    if (significant.length > MOST_DIGITS) throw new WrongNumber('integer out of range');
    const size = BigInt(prefix + significant);
    return sign === '-' ? -size : size;
  }
  return undefined;
}

/** Field of a message type that holds a number, or messages with numbers. */
type Part =
  | { readonly name: string; readonly kind: 'integer' | 'decimal'; readonly field: DescField }
  | { readonly name: string; readonly parts: readonly Part[] };

const partsByType = new WeakMap<DescMessage, Part[]>();

function partsOf(schema: DescMessage): readonly Part[] {
  const known = partsByType.get(schema);
  if (known !== undefined) return known;
  const parts: Part[] = [];
  // Stored before it is complete, because a type may contain itself.
  partsByType.set(schema, parts);
  for (const field of schema.fields) {
    const kind = numberOf(field);
    const name = field.localName;
    if (kind !== undefined) parts.push({ name, kind, field });
    else if (field.message !== undefined && partsOf(field.message).length > 0)
      parts.push({ name, parts: partsOf(field.message) });
  }
  return parts;
}

/**
 * Rewrites each number of a decoded message, nested messages included, as Go writes it. `isInAny`: the message was in
 * an `Any`, where an absent integer becomes zero, but an absent decimal does not (cosmos-sdk v0.53
 * `codec/types/interface_registry.go` UnpackAny, `cosmossdk.io/math` v1.5.3 Int.MarshalTo). Throws WrongNumber.
 */
export function normalizeNumbers(schema: DescMessage, message: object, isInAny = true): void {
  normalize(partsOf(schema), message, isInAny);
}

function normalize(parts: readonly Part[], message: object, isInAny: boolean): void {
  for (const part of parts) {
    const value: unknown = Reflect.get(message, part.name);
    if (value === undefined) continue;
    if ('parts' in part) for (const one of Array.isArray(value) ? value : [value]) normalize(part.parts, one, isInAny);
    else if (value !== '') Reflect.set(message, part.name, canonicalValue(part.kind, value));
    else if (isInAny && part.kind === 'integer' && !isNullable(part.field)) Reflect.set(message, part.name, '0');
  }
}

function canonicalValue(kind: 'integer' | 'decimal', value: unknown): unknown {
  if (typeof value === 'string') return canonicalNumber(kind, value);
  if (!(value instanceof Uint8Array)) return value;
  const given = text(value);
  const canonical = canonicalNumber(kind, given);
  return canonical === given ? value : utf8(canonical);
}
