/**
 * Decimals with 18 digits after the point, as the SDK's LegacyDec: a bigint counts 10^-18. Stores and protobuf hold
 * that integer as text, JSON has the point.
 */
export const DEC_ONE = 10n ** 18n;

/** Parses a non-negative decimal in JSON text such as `0.5`; undefined for any other text. */
export function parseDec(text: string): bigint | undefined {
  const match = /^([0-9]{1,60})(?:\.([0-9]{1,18}))?$/.exec(text);
  return match === null ? undefined : BigInt(match[1] ?? '0') * DEC_ONE + BigInt((match[2] ?? '').padEnd(18, '0'));
}

/** `0.500000000000000000`. */
export function formatDec(value: bigint): string {
  return `${value / DEC_ONE}.${(value % DEC_ONE).toString().padStart(18, '0')}`;
}

/** The whole part. */
export function truncateDec(value: bigint): bigint {
  return value / DEC_ONE;
}
