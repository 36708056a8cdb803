/**
 * Exact decimal numbers of queries: digits with an optional fraction, without sign or exponent (CometBFT v0.38
 * `libs/pubsub/query/query.go`).
 */
import { FIXED_LIMITS } from '../limits/limits.js';
export interface Decimal {
  /** All digits as one integer. */
  readonly digits: bigint;
  /** Number of digits after the decimal point. */
  readonly scale: number;
}

const LEADING_NUMBER = /^([0-9]+)(?:\.([0-9]+))?/u;

/**
 * Parses the number at the beginning of `text`; undefined when it does not begin with a digit. `8.045stake` is 8.045,
 * `1e3` is 1.
 */
export function leadingDecimal(text: string): Decimal | undefined {
  const match = LEADING_NUMBER.exec(text);
  if (match === null) return undefined;
  const whole = match[1] ?? '';
  const fraction = (match[2] ?? '').slice(0, FIXED_LIMITS.queryDigits);
  return whole.length > FIXED_LIMITS.queryDigits
    ? undefined
    : { digits: BigInt(whole + fraction), scale: fraction.length };
}

/** Compares two numbers: negative, zero or positive for less, equal or greater. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const scale = Math.max(left.scale, right.scale);
  const a = left.digits * 10n ** BigInt(scale - left.scale);
  const b = right.digits * 10n ** BigInt(scale - right.scale);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
