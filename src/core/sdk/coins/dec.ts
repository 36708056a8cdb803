import { utf8 } from '../../bytes/bytes.js';

/**
 * Decimals with 18 digits after the point, like the SDK's LegacyDec, as a bigint in units of 10^-18. Stores and
 * protobuf contain that integer as text, JSON has a decimal point.
 */
export const DEC_ONE = 10n ** 18n;
/** Number of digits after the point. */
const PLACES = 18;

/** Largest absolute value of a decimal (cosmossdk.io/math v1.5.3 `legacy_dec.go` IsInValidRange). */
export const DEC_LIMIT = (1n << 256n) * DEC_ONE - 1n;

/**
 * Parses a non-negative decimal such as `0.5`, with an optional plus sign (cosmossdk.io/math v1.5.3 `dec.go`
 * LegacyNewDecFromStr); undefined for other text.
 */
export function parseDec(text: string): bigint | undefined {
  const match = /^\+?([0-9]{1,60})(?:\.([0-9]{1,18}))?$/.exec(text);
  return match === null ? undefined : BigInt(match[1] ?? '0') * DEC_ONE + BigInt((match[2] ?? '').padEnd(18, '0'));
}

/** Parses a decimal with an optional sign. */
export function parseSignedDec(text: string): bigint | undefined {
  if (!text.startsWith('-')) return parseDec(text);
  const size = parseDec(text.slice(1));
  return size === undefined ? undefined : -size;
}

/** Error of cosmossdk.io/math v1.5 `LegacyNewDecFromStr` for text that is not a decimal. */
export function decimalFault(text: string): string {
  const digits = text.startsWith('-') ? text.slice(1) : text;
  if (digits === '') return 'decimal string cannot be empty';
  const [whole = '', fraction, ...more] = digits.split('.');
  if (more.length > 0) return 'invalid decimal string';
  if (fraction !== undefined && (whole === '' || fraction === '')) return 'invalid decimal length';
  const places = utf8(fraction ?? '').length;
  if (places > PLACES)
    return `value '${digits}' exceeds max precision by ${PLACES - places} decimal places: max precision ${PLACES}`;
  const all = `${whole}${fraction ?? ''}${'0'.repeat(PLACES - places)}`;
  return /^[+-]?[0-9]+$/.test(all)
    ? 'out of range: invalid decimal string'
    : `failed to set decimal string with base 10: ${all}`;
}

/** Formats a decimal with 18 digits after the point: `0.500000000000000000`. */
export function formatDec(value: bigint): string {
  if (value < 0n) return `-${formatDec(-value)}`;
  return `${value / DEC_ONE}.${(value % DEC_ONE).toString().padStart(18, '0')}`;
}

/** Integer part. */
export function truncateDec(value: bigint): bigint {
  return value / DEC_ONE;
}

/** Multiplies; rounds half to even (`LegacyDec.Mul`). */
export function mulDec(a: bigint, b: bigint): bigint {
  return roundHalfEven(a * b, DEC_ONE);
}

/** Multiplies; truncates toward zero (`LegacyDec.MulTruncate`). */
export function mulDecTruncate(a: bigint, b: bigint): bigint {
  return (a * b) / DEC_ONE;
}

/** Divides: truncates after 36 decimals, then rounds half to even (`LegacyDec.Quo`). */
export function quoDec(a: bigint, b: bigint): bigint {
  return roundHalfEven((a * DEC_ONE * DEC_ONE) / b, DEC_ONE);
}

/** Divides; truncates toward zero (`LegacyDec.QuoTruncate`). */
export function quoDecTruncate(a: bigint, b: bigint): bigint {
  return (a * DEC_ONE) / b;
}

/** Divides; rounds positive quotients up (`LegacyDec.QuoRoundUp`). */
export function quoDecUp(a: bigint, b: bigint): bigint {
  return roundUp(a * DEC_ONE, b);
}

/** Rounds to the nearest integer, half to even (`LegacyDec.RoundInt`). */
export function roundDec(value: bigint): bigint {
  return roundHalfEven(value, DEC_ONE);
}

function roundHalfEven(value: bigint, unit: bigint): bigint {
  if (value < 0n) return -roundHalfEven(-value, unit);
  const whole = value / unit;
  const twice = (value % unit) * 2n;
  if (twice < unit) return whole;
  return twice > unit || whole % 2n === 1n ? whole + 1n : whole;
}

/** Divides by `unit`, which is positive; rounds up. */
function roundUp(value: bigint, unit: bigint): bigint {
  const whole = value / unit;
  return value > 0n && value % unit !== 0n ? whole + 1n : whole;
}
