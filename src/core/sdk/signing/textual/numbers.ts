import { DEC_LIMIT, formatDec } from '../../coins/dec.js';

/** Thrown for a value that SIGN_MODE_TEXTUAL cannot show; the transaction then has no sign bytes. */
export class NoTextualForm extends Error {}

/** Formats `1000000` as `1'000'000` (cosmossdk.io/math v1.5 `FormatInt`). Throws NoTextualForm. */
export function integerText(value: string): string {
  const sign = value.startsWith('-') ? '-' : '';
  const unsigned = value.slice(sign.length);
  const digits = unsigned.length > 1 ? unsigned.replace(/^0+/, '') : unsigned;
  if (!/^[0-9]+$/.test(digits)) throw new NoTextualForm(`expecting only digits 0-9, but got ${value}`);
  return `${sign}${digits.replace(/\B(?=([0-9]{3})+$)/g, "'")}`;
}

/**
 * Formats a decimal with a point and without trailing zeros (cosmossdk.io/math v1.5 `FormatDec`). Throws
 * NoTextualForm.
 */
export function pointedText(value: string): string {
  const [whole = '', fraction, ...more] = value.split('.');
  if (more.length > 0) throw new NoTextualForm(`invalid decimal: too many points in ${value}`);
  const decimals = (fraction ?? '').replace(/0+$/, '');
  if (!/^[0-9]*$/.test(decimals)) throw new NoTextualForm(`non-digits after the decimal point in ${value}`);
  return decimals === '' ? integerText(whole) : `${integerText(whole)}.${decimals}`;
}

/** Formats an SDK decimal, given with a point or as an integer multiple of 10^-18. Throws NoTextualForm. */
export function decimalText(value: string): string {
  if (value.includes('.')) return pointedText(value);
  if (!/^[+-]?[0-9]+$/.test(value)) throw new NoTextualForm(`invalid decimal: ${value}`);
  return pointedText(formatDec(BigInt(value)));
}

/** Digits of the largest decimal without its point. */
const MOST_DIGITS = DEC_LIMIT.toString().length;

/**
 * Parses a decimal, leading zeros allowed, to units of 10^-18 (cosmossdk.io/math v1.5 `LegacyNewDecFromStr`). Throws
 * NoTextualForm.
 */
export function decimalUnits(value: string): bigint {
  const match = /^([+-]?)(?=[0-9])0*([0-9]*)(?:\.([0-9]{1,18}))?$/.exec(value);
  if (match === null) throw new NoTextualForm(`invalid decimal: ${value.slice(0, MOST_DIGITS)}`);
  const digits = `${match[2] ?? ''}${(match[3] ?? '').padEnd(18, '0')}`;
  if (digits.length > MOST_DIGITS || BigInt(digits) > DEC_LIMIT) throw new NoTextualForm('decimal out of range');
  return match[1] === '-' ? -BigInt(digits) : BigInt(digits);
}
