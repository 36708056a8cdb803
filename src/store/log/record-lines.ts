/**
 * Records as JSON lines (`log export`, `log import`): the rows of a record in base64 by section number, plus fields for
 * human readers. A line contains its record exactly, so an import restores the same bytes.
 */
import { asObject, jsonOf } from '../../core/text/json-object.js';
import { hex } from '../../core/bytes/hex.js';
import type { KeyValue } from '../../core/ports/key-value-store.js';
import { toPosition, type Position } from '../../core/primitives.js';
import { recordKey } from '../keys.js';
import type { StoredRecord } from './read-records.js';

/** The JSON line of a record, without line end. */
export function recordLine({ header, events, rows }: StoredRecord): string {
  const sections = rows.map(({ key, value }) => [String(key.at(-1)), Buffer.from(value).toString('base64')] as const);
  return JSON.stringify({
    position: String(header.first),
    time: String(events[0]?.time ?? 0n),
    events: events.map(({ event }) => event.type),
    hash: hex(header.hash),
    previous_hash: hex(header.previousHash),
    rows: Object.fromEntries(sections),
  });
}

/** Parses a line to position and rows; undefined when it is not a record line. */
export function parseRecordLine(
  text: string,
): { readonly first: Position; readonly rows: readonly KeyValue[] } | undefined {
  const line = asObject(jsonOf(text));
  const sections = asObject(line?.['rows']);
  const position = line?.['position'];
  if (sections === undefined || typeof position !== 'string' || !/^[1-9][0-9]{0,18}$/.test(position)) return undefined;
  const first = toPosition(BigInt(position));
  const rows: KeyValue[] = [];
  for (const [section, value] of Object.entries(sections)) {
    if (!/^[0-9]$/.test(section) || typeof value !== 'string') return undefined;
    rows.push({ key: recordKey(first, Number(section)), value: new Uint8Array(Buffer.from(value, 'base64')) });
  }
  return { first, rows };
}
