import { concat } from '../../core/bytes/bytes.js';
import { be64, readBe32 } from '../../core/bytes/big-endian.js';
import { toPosition } from '../../core/primitives.js';
import { readU64 } from '../bytes.js';
import { SECTION } from '../codec/sections.js';
import { PREFIX, recordKey } from '../keys.js';
import { UNDO_PREFIX } from '../state/tables.js';

/** Kinds of packed rows (record sections and undo pages). The numbers never change. */
export type Kind = 0 | 1 | 3 | 4 | 5 | 7;

export const RECORD = 0;
/** Envelopes, in records of version 1. */
export const ENVELOPE = SECTION.envelope;
export const RESULTS = SECTION.results;
export const WRITES = SECTION.writes;
/** Traces, in records of version 1. */
export const TRACE = SECTION.trace;
export const UNDO = 7;
const OF_RECORDS = [RECORD, ENVELOPE, RESULTS, WRITES, TRACE] as const;

/** The kind of a row; undefined for rows that are never packed. */
export function kindOf(key: Uint8Array): Kind | undefined {
  if (key[0] === UNDO_PREFIX) return UNDO;
  if (key[0] !== PREFIX.record) return undefined;
  const section = key[9];
  return OF_RECORDS.find((kind) => kind === section);
}

/** The number in a row key: position of a record, or height of an undo page. */
export function numberIn(key: Uint8Array): number {
  return readBe32(key, 1) * 2 ** 32 + readBe32(key, 5);
}

/** Key of a section row of the record at `position`. */
export function rowOfRecord(kind: Exclude<Kind, typeof UNDO>, position: number): Uint8Array {
  return recordKey(toPosition(BigInt(position)), kind);
}

/** Key prefix of the packing's own rows; it sorts after every key that other code reads. */
const BASE = Uint8Array.of(0xff, 0xff);

/** Key of the row that retains pruned record rows which are still needed to decode later ones. */
export const RETAINED_ROWS_KEY: Uint8Array = concat(BASE, Uint8Array.of(0xfe));

/** Key of a mark: bases before it can be deleted when the records up to it are pruned. */
export const OBSOLETE_BASES_KEY: Uint8Array = concat(BASE, Uint8Array.of(0xfd));

/** Key of a base: kind, and number within its kind. */
export function baseKey(kind: Kind, id: number): Uint8Array {
  return concat(BASE, Uint8Array.of(kind), be64(BigInt(id)));
}

/** Bounds of the bases of a kind, or of all kinds. */
export function baseBounds(kind?: Kind): { readonly start: Uint8Array; readonly end: Uint8Array } {
  const [first, last] = kind === undefined ? [0, 0xff] : [kind, kind + 1];
  return { start: concat(BASE, Uint8Array.of(first)), end: concat(BASE, Uint8Array.of(last)) };
}

/** The base number in a base's key. */
export function baseIdIn(key: Uint8Array): number {
  return Number(readU64(key, BASE.length + 1));
}
