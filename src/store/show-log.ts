import type { LogEvent, Recorded } from '../core/log-events.js';
import type { Position } from '../core/primitives.js';
import { hex } from '../core/bytes/hex.js';
import type { EventLog } from './event-log.js';

/** A value in JSON: numbers of the chain are decimal strings, bytes are hex. */
export type Shown = string | number | boolean | null | readonly Shown[] | { readonly [name: string]: Shown };

export interface ShowOptions {
  readonly from: Position;
  /** Largest number of events. */
  readonly limit: number;
  /** Bytes shown of a byte field and items shown of a list; the rest is counted. Everything by default. */
  readonly cut?: number;
  /** Members of an event's data in other words, in place of the members with their names. */
  readonly decode?: (event: LogEvent) => { readonly [name: string]: unknown };
}

/** Events as `chronicled log show` prints them, one object each, in log order. Throws CorruptionError. */
export async function* showLog(
  log: EventLog,
  options: ShowOptions,
): AsyncGenerator<{ readonly [name: string]: Shown }> {
  const cut = options.cut ?? Number.MAX_SAFE_INTEGER;
  for await (const events of log.read(options)) {
    for (const event of events) yield showEvent(event, cut, options.decode?.(event.event));
  }
}

function showEvent(
  { position, stream, streamPosition, time, cause, event }: Recorded,
  cut: number,
  decoded: { readonly [name: string]: unknown } = {},
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

/** A value of an event in JSON; bytes and lists are cut to `cut` bytes and items, and the rest is counted. */
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
