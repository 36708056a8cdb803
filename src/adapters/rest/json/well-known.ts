/** Timestamps and durations in proto JSON: with 0, 3, 6 or 9 fractional digits. */

const SECONDS_MIN = -62_135_596_800n;
const SECONDS_MAX = 253_402_300_799n;
const DURATION_MAX = 315_576_000_000n;
const NANOS = 1_000_000_000;

/** Seconds and nanoseconds, the fields of both messages. */
export interface Instant {
  readonly seconds: bigint;
  readonly nanos: number;
}

export const GO_ZERO_TIME_TEXT = '0001-01-01T00:00:00Z';

/** Formats a timestamp, such as `2026-11-20T15:46:55.663455380Z`; undefined outside of the years 1 to 9999. */
export function timestampText({ seconds, nanos }: Instant): string | undefined {
  if (seconds < SECONDS_MIN || seconds > SECONDS_MAX || nanos < 0 || nanos >= NANOS) return undefined;
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}${fractionText(nanos)}Z`;
}

/** Parses RFC 3339 with up to nine fractional digits. */
export function timestampOfText(text: string): Instant | undefined {
  const [, whole, fraction = '', zone] =
    /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const milliseconds = whole === undefined ? Number.NaN : Date.parse(`${whole}${zone}`.toUpperCase());
  if (Number.isNaN(milliseconds)) return undefined;
  const seconds = BigInt(Math.trunc(milliseconds / 1000));
  return seconds < SECONDS_MIN || seconds > SECONDS_MAX
    ? undefined
    : { seconds, nanos: Number(fraction.padEnd(9, '0')) };
}

/** Formats a duration, such as `172800s` or `0.500s`; undefined beyond 10,000 years. */
export function durationText({ seconds, nanos }: Instant): string | undefined {
  if (seconds > DURATION_MAX || seconds < -DURATION_MAX || Math.abs(nanos) >= NANOS) return undefined;
  const sign = seconds < 0n || nanos < 0 ? '-' : '';
  return `${sign}${String(seconds).replace('-', '')}${fractionText(Math.abs(nanos))}s`;
}

/** Parses seconds with up to nine fractional digits, followed by `s`. */
export function durationOfText(text: string): Instant | undefined {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(text) ?? [];
  if (whole === undefined || BigInt(whole) > DURATION_MAX) return undefined;
  const nanos = Number(fraction.padEnd(9, '0'));
  return sign === '' ? { seconds: BigInt(whole), nanos } : { seconds: -BigInt(whole), nanos: nanos === 0 ? 0 : -nanos };
}

function fractionText(nanos: number): string {
  if (nanos === 0) return '';
  const digits = String(nanos).padStart(9, '0');
  return `.${digits.endsWith('000000') ? digits.slice(0, 3) : digits.endsWith('000') ? digits.slice(0, 6) : digits}`;
}
