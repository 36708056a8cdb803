/**
 * Branded numbers of the chain. They are constructed only here and in codecs, so that a height is never mistaken for a
 * position.
 */

declare const brand: unique symbol;
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };

/** Block height. 0 is "before the first block". */
export type Height = Brand<bigint, 'Height'>;
/**
 * Global, gapless position of an event in the log; the first event has position 1. Also the cursor that clients resume
 * from.
 */
export type Position = Brand<bigint, 'Position'>;
/** Nanoseconds since the Unix epoch. */
export type TimeNs = Brand<bigint, 'TimeNs'>;

export const NS_PER_SECOND = 1_000_000_000n;
export const NS_PER_MS = 1_000_000n;

/** Makes a height; throws a RangeError below zero. */
export function toHeight(value: bigint): Height {
  if (value < 0n) throw new RangeError(`height must not be negative: ${value}`);
  return value as Height;
}

/** Makes a log position; throws a RangeError below zero. */
export function toPosition(value: bigint): Position {
  if (value < 0n) throw new RangeError(`position must not be negative: ${value}`);
  return value as Position;
}

/** Makes a time in nanoseconds since the Unix epoch (may be negative: the protobuf zero time lies before it). */
export function toTimeNs(value: bigint): TimeNs {
  return value as TimeNs;
}
