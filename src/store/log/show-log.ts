import type { Recorded } from '../../core/log-events.js';
import { hex } from '../../core/bytes/hex.js';

/** A JSON value: bigints are decimal strings, bytes are hex. */
export type Shown = string | number | boolean | null | readonly Shown[] | { readonly [name: string]: Shown };

/**
 * An event as printed by `chronicled log show`. `decoded` overrides data fields with decoded forms; see `shownValue`
 * for `cut`.
 */
export function showEvent(
  { position, stream, streamPosition, time, cause, event }: Recorded,
  decoded: { readonly [name: string]: unknown },
  cut = Number.MAX_SAFE_INTEGER,
): { readonly [name: string]: Shown } {
  return {
    position: String(position),
    stream,
    stream_position: String(streamPosition),
    time: String(time),
    cause,
    type: event.type,
    v: event.v,
    data: shownValue({ ...event.data, ...decoded }, cut),
  };
}

/** Converts an event value to JSON. Bytes and lists longer than `cut` are truncated, and the total is noted. */
export function shownValue(value: unknown, cut: number): Shown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof Uint8Array) {
    return value.length <= cut ? hex(value) : `${hex(value.subarray(0, cut))}... (${value.length} bytes)`;
  }
  if (Array.isArray(value)) {
    const shown = value.slice(0, cut).map((item) => shownValue(item, cut));
    return value.length <= cut ? shown : [...shown, `... (${value.length} items)`];
  }
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shownValue(part, cut)]));
}
