/** Number parameters that accept several forms. */
import { readQuantity } from './hex.js';
import { type Decoded, type Param, bad, decodeEach, good, kindOf, required, wrongKind } from './param.js';
import { COUNT, QUANTITY, QUANTITY_64, type Schema, anyOf, listOf } from '../schema.js';

/** Block count of `eth_feeHistory`: hex, a decimal number or its text (geth `math.HexOrDecimal64`). */
export const count: Param<bigint> = required('count', anyOf(QUANTITY_64, COUNT), (value) => {
  const number = looseNumber(value);
  return number === undefined || number >= 1n << 64n
    ? bad(
        `invalid hex or decimal integer ${JSON.stringify(typeof value === 'string' ? value : String(JSON.stringify(value)))}`,
      )
    : good(number);
});

export const LOOSE_QUANTITY: Schema = anyOf(QUANTITY, COUNT);

/** Seconds, counts and amounts of the dev namespaces: hex, a decimal number or its text. */
export const looseQuantity: Param<bigint> = required('number', LOOSE_QUANTITY, (value): Decoded<bigint> => {
  const number = looseNumber(value);
  if (number !== undefined) return good(number);
  if (typeof value === 'number') return bad(`${value} is no whole number from 0 to ${Number.MAX_SAFE_INTEGER}`);
  return bad(isNumeral(value) ? 'number > 256 bits' : `not a number: ${kindOf(value)}`);
});

const isNumeral = (value: unknown): boolean => typeof value === 'string' && /^(?:0x[0-9a-f]+|[0-9]+)$/iu.test(value);

/** Parses a whole number of at most 256 bits in any form; undefined for any other value. */
export function looseNumber(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (/^[0-9]{1,78}$/u.test(value)) return BigInt(value) < 1n << 256n ? BigInt(value) : undefined;
  // tools send leading zeros in these parameters
  const read = readQuantity(value.replace(/^(0[xX])0+(?=[0-9a-fA-F])/u, '$1'), 256);
  return read.ok ? read.value : undefined;
}

export const percentiles: Param<readonly number[]> = required(
  'percentiles',
  listOf({ type: 'number', minimum: 0, maximum: 100 }),
  (value) =>
    Array.isArray(value)
      ? decodeEach(value, (item: unknown) => (typeof item === 'number' ? good(item) : wrongKind(item, 'float64')))
      : wrongKind(value, '[]float64'),
);
