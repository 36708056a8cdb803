import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt';
import { formatTime, fromTimestamp, isTimestamp } from '../../../comet/time.js';
import { NoTextualForm } from './numbers.js';
import { NS_PER_SECOND } from '../../../primitives.js';

/** Formats a time as RFC 3339 in UTC (cosmos-sdk v0.53 `x/tx/signing/textual/timestamp.go`). Throws NoTextualForm. */
export function timestampText(value: Pick<Timestamp, 'seconds' | 'nanos'>): string {
  if (!isTimestamp(value)) throw new NoTextualForm('time out of range');
  return formatTime(fromTimestamp(value));
}

/** Largest seconds of a protobuf duration, about 10,000 years. */
const LONGEST = 315_576_000_000n;

/**
 * Formats a duration as `1 day, 2 hours, 0 minutes, 1.5 seconds`: from the largest unit that is not zero to the
 * smallest (cosmos-sdk v0.53 `x/tx/signing/textual/duration.go`). Throws NoTextualForm for an invalid protobuf
 * duration.
 */
export function durationText({ seconds, nanos }: Pick<Duration, 'seconds' | 'nanos'>): string {
  const isValid = (seconds <= 0n || nanos >= 0) && (seconds >= 0n || nanos <= 0);
  if (!isValid || absolute(seconds) > LONGEST || absolute(BigInt(nanos)) >= NS_PER_SECOND)
    throw new NoTextualForm('duration out of range');
  const whole = absolute(seconds);
  const fraction = absolute(BigInt(nanos));
  const parts = [
    unit('day', whole / 86_400n),
    unit('hour', (whole / 3_600n) % 24n),
    unit('minute', (whole / 60n) % 60n),
    unit('second', whole % 60n, fraction),
  ];
  const first = parts.findIndex(({ isZero }) => !isZero);
  const last = parts.findLastIndex(({ isZero }) => !isZero);
  const text = first < 0 ? '0 seconds' : shown(parts, first, last).join(', ');
  return seconds < 0n || nanos < 0 ? `-${text}` : text;
}

const shown = (parts: readonly { readonly text: string }[], first: number, last: number): readonly string[] =>
  parts.slice(first, last + 1).map(({ text }) => text);

function unit(name: string, count: bigint, nanos = 0n): { readonly text: string; readonly isZero: boolean } {
  const fraction = nanos === 0n ? '' : `.${nanos.toString().padStart(9, '0').replace(/0+$/, '')}`;
  const plural = count === 1n && nanos === 0n ? '' : 's';
  return { text: `${count}${fraction} ${name}${plural}`, isZero: count === 0n && nanos === 0n };
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
