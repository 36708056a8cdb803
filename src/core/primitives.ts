/**
 * Branded chain numbers. Only this file and codecs construct them, so that a height is never mistaken for a position.
 */

declare const brand: unique symbol;
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };

/** Block height. 0 means before the first block. */
export type Height = Brand<bigint, 'Height'>;
/** Global, gapless position of an event in the log, from 1. Clients resume from it as a cursor. */
export type Position = Brand<bigint, 'Position'>;
/** Nanoseconds since the Unix epoch. */
export type TimeNs = Brand<bigint, 'TimeNs'>;

export const NS_PER_SECOND = 1_000_000_000n;
export const NS_PER_MS = 1_000_000n;

/** Brands a height; throws RangeError below zero. */
export function toHeight(value: bigint): Height {
  if (value < 0n) throw new RangeError(`height must not be negative: ${value}`);
  return value as Height;
}

/** Brands a log position; throws RangeError below zero. */
export function toPosition(value: bigint): Position {
  if (value < 0n) throw new RangeError(`position must not be negative: ${value}`);
  return value as Position;
}

/** Brands a time in nanoseconds since the Unix epoch; may be negative, because Go's zero time is in year 1. */
export function toTimeNs(value: bigint): TimeNs {
  return value as TimeNs;
}
