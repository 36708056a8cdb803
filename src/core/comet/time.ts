/** Chain times: protobuf timestamps and Go's RFC3339Nano text. */
import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt';
import { EMPTY, utf8 } from '../bytes/bytes.js';
import { NS_PER_MS, NS_PER_SECOND, type TimeNs, toTimeNs } from '../primitives.js';

/** First and last second of the years 1 to 9999, since the Unix epoch. */
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;

/**
 * Go's zero time, 0001-01-01T00:00:00Z: the time of an absent signature (CometBFT spec, core/data_structures,
 * CommitSig).
 */
export const GO_ZERO_TIME: TimeNs = toTimeNs(FIRST_SECOND * NS_PER_SECOND);

/** True for valid values of `google.protobuf.Timestamp`: years 1 to 9999, and nanoseconds below one second. */
export function isTimestamp({ seconds, nanos }: Pick<Timestamp, 'seconds' | 'nanos'>): boolean {
  return seconds >= FIRST_SECOND && seconds <= LAST_SECOND && nanos >= 0 && nanos < NS_PER_SECOND;
}

/** Splits nanoseconds into seconds and 0..999,999,999 nanos, also for times before 1970. */
export function toTimestamp(time: TimeNs): Timestamp {
  const nanos = ((time % NS_PER_SECOND) + NS_PER_SECOND) % NS_PER_SECOND;
  return { $typeName: 'google.protobuf.Timestamp', seconds: (time - nanos) / NS_PER_SECOND, nanos: Number(nanos) };
}

/** Converts a timestamp; an absent one is Go's zero time, because gogoproto declares all chain times non-nullable. */
export function fromTimestamp(timestamp: Pick<Timestamp, 'seconds' | 'nanos'> | undefined): TimeNs {
  if (timestamp === undefined) return GO_ZERO_TIME;
  return toTimeNs(timestamp.seconds * NS_PER_SECOND + BigInt(timestamp.nanos));
}

/** Converts a duration to nanoseconds; an absent one is 0. */
export function fromDuration(duration: Pick<Duration, 'seconds' | 'nanos'> | undefined): bigint {
  return duration === undefined ? 0n : duration.seconds * NS_PER_SECOND + BigInt(duration.nanos);
}

/** Converts nanoseconds to a duration. */
export function toDuration(nanos: bigint): Duration {
  return {
    $typeName: 'google.protobuf.Duration',
    seconds: nanos / NS_PER_SECOND,
    nanos: Number(nanos % NS_PER_SECOND),
  };
}

/**
 * Formats a time like Go's RFC3339Nano in UTC: without trailing zeros in the fraction, and without a point when it is
 * 0.
 */
export function formatTime(time: TimeNs): string {
  const { seconds, nanos } = toTimestamp(time);
  const fraction = nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
  return `${dateOf(seconds)}${fraction}Z`;
}

let lastSeconds: bigint | undefined;
let lastDate = '';

/** Formats seconds as `2006-01-02T15:04:05`. Caches the last result, because many blocks may fall into one second. */
function dateOf(seconds: bigint): string {
  if (seconds !== lastSeconds) {
    lastDate = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
    lastSeconds = seconds;
  }
  return lastDate;
}

/** Formats a UTC time like Go's `time.Time.String`: `2006-01-02 15:04:05 +0000 UTC`. */
export function goTime(time: TimeNs): string {
  return formatTime(time).replace('T', ' ').replace('Z', ' +0000 UTC');
}

/** Parses RFC 3339 text with up to nine fractional digits; undefined for other text. */
export function parseTime(text: string): TimeNs | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (match === null) return undefined;
  const milliseconds = Date.parse(`${match[1]}${match[3]}`);
  if (Number.isNaN(milliseconds)) return undefined;
  return toTimeNs(BigInt(milliseconds) * NS_PER_MS + BigInt((match[2] ?? '').padEnd(9, '0')));
}

let lastTime: TimeNs | undefined;
let lastSortable: Uint8Array = EMPTY;

/**
 * Formats a time with fixed length, so that byte order is time order (cosmos-sdk v0.53 `types/utils.go`
 * FormatTimeBytes). Caches the last result, because at the end of a block every queue asks for the same time. Callers
 * must not change the bytes.
 */
export function sortableTime(time: TimeNs): Uint8Array {
  if (time !== lastTime) {
    const { seconds, nanos } = toTimestamp(time);
    lastSortable = utf8(`${dateOf(seconds)}.${nanos.toString().padStart(9, '0')}`);
    lastTime = time;
  }
  return lastSortable;
}
