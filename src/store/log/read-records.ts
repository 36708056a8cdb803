import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Recorded } from '../../core/log-events.js';
import type { KeyValue, KeyValueStore } from '../../core/ports/key-value-store.js';
import { toPosition, type Position } from '../../core/primitives.js';
import { compare } from '../../core/bytes/bytes.js';
import { readU64 } from '../bytes.js';
import { hex } from '../../core/bytes/hex.js';
import { keyAfter } from '../../core/bytes/key-order.js';
import { ANCHOR_MAGIC, ANCHOR_POSITION, withChunks } from './anchor.js';
import { blocksFloor, rangedBlocksFloor } from './blocks-floor.js';
import { CorruptionError, MissingRecordsError } from '../errors.js';
import { SECTION, SECTION_NAMES, type SectionName } from '../codec/sections.js';
import { recordBound, recordKey, recordsEnd } from '../keys.js';
import { ALL_SECTIONS, decodeEvents, decodeHeader, type RecordHeader, type Sha256 } from './record.js';

export interface DecodedRecord {
  readonly header: RecordHeader;
  readonly events: readonly Recorded[];
}

/** A record with its rows as they are stored. */
export interface StoredRecord extends DecodedRecord {
  readonly rows: readonly KeyValue[];
}

const KEY_BYTES = 10;

/**
 * First position of the record that contains `position`, or of the last record before it; undefined in an empty log.
 */
export async function findRecord(store: KeyValueStore, position: bigint): Promise<Position | undefined> {
  const [row] = await store.range({ start: recordBound(0n), end: recordBound(position + 1n), reverse: true, limit: 1 });
  return row === undefined ? undefined : firstOf(row);
}

/**
 * Header of the last record, found without the head row, which may be lost. Undefined in an empty log. Throws
 * CorruptionError.
 */
export async function lastRecord(store: KeyValueStore, crypto: Sha256): Promise<RecordHeader | undefined> {
  const [row] = await store.range({ start: recordBound(0n), end: recordsEnd(), reverse: true, limit: 1 });
  if (row === undefined) return undefined;
  const first = firstOf(row);
  const bytes = store.get(recordKey(first, 0));
  if (bytes === undefined) throw new CorruptionError('record is missing', { position: first });
  return decodeHeader(first, bytes, crypto);
}

/**
 * Reads records in log order, from the one at `first` up to those that begin after `through`. Verifies digests,
 * contiguity and the hash chain, from `previousHash` on if it is known. Records pruned meanwhile are skipped. Throws
 * CorruptionError.
 */
export async function* readRecords(
  store: Pick<KeyValueStore, 'range'>,
  crypto: Sha256,
  range: {
    readonly first: bigint;
    readonly through: bigint;
    readonly previousHash?: Uint8Array | undefined;
    readonly sections?: ReadonlySet<SectionName>;
    /** Omits the snapshot of an anchor even when state writes are requested. */
    readonly isBrief?: boolean;
  },
): AsyncGenerator<StoredRecord> {
  let expected = range.first;
  let { before } = await rangedBlocksFloor(store);
  let previousHash = range.previousHash;
  const sections = range.sections ?? ALL_SECTIONS;
  reading: while (expected <= range.through) {
    const rows = await store.range({
      start: recordBound(expected),
      end: recordsEnd(),
      limit: FIXED_LIMITS.recordRowsPerRead,
    });
    const records = completeRecords(rows, rows.length < FIXED_LIMITS.recordRowsPerRead);
    if (records.length === 0) throw new CorruptionError('events are missing', { position: expected });
    for (const record of records) {
      if (expected > range.through) return;
      const decode = (): DecodedRecord => decodeRows(record, toPosition(expected), crypto, sections, before);
      let decoded: DecodedRecord;
      try {
        decoded = decode();
      } catch (error) {
        const kept = await keptFromAnchor(store, crypto);
        if (expected > ANCHOR_POSITION && expected < kept) {
          expected = kept;
          previousHash = undefined;
          continue reading;
        }
        // The record may have been pruned after the read began.
        const risen = await rangedBlocksFloor(store);
        if (risen.before === before) throw error;
        ({ before } = risen);
        decoded = decode();
      }
      if (previousHash !== undefined && compare(previousHash, decoded.header.previousHash) !== 0) {
        throw new CorruptionError('hash of the record before differs', { position: expected });
      }
      const read = { ...decoded, rows: record };
      const { anchor } = decoded.header;
      const hasChunks = anchor !== undefined && range.isBrief !== true && sections.has('writes');
      yield hasChunks ? { ...read, events: withChunks(anchor, store, crypto) } : read;
      previousHash = decoded.header.hash;
      expected += BigInt(decoded.header.count);
    }
  }
}

/** Header of the anchor; undefined for an unpruned log. Throws CorruptionError. */
export function readAnchor(store: Pick<KeyValueStore, 'get'>, crypto: Sha256): AnchorHeader | undefined {
  const row = store.get(recordKey(ANCHOR_POSITION, 0));
  return row && anchorIn(row, crypto);
}

export type AnchorHeader = RecordHeader & Required<Pick<RecordHeader, 'anchor'>>;

function anchorIn(row: Uint8Array, crypto: Sha256): AnchorHeader | undefined {
  if (compare(row.subarray(0, ANCHOR_MAGIC.length), ANCHOR_MAGIC) !== 0) return undefined;
  const header = decodeHeader(ANCHOR_POSITION, row, crypto);
  const { anchor } = header;
  return anchor && { ...header, anchor };
}

/** Position of the record after this one. */
export function positionAfter({ first, count }: Pick<RecordHeader, 'first' | 'count'>): Position {
  return toPosition(first + BigInt(count));
}

/** Position of the first record after the anchor; 0 without an anchor. */
async function keptFromAnchor(store: Pick<KeyValueStore, 'range'>, crypto: Sha256): Promise<bigint> {
  const start = recordKey(ANCHOR_POSITION, 0);
  const [row] = await store.range({ start, end: keyAfter(start), limit: 1 });
  const anchor = row && anchorIn(row.value, crypto);
  return anchor === undefined ? 0n : positionAfter(anchor);
}

/**
 * Approximate bytes of the records from `kept` to before `end`, without the genesis, which is never pruned. 0 when the
 * store cannot estimate it.
 */
export async function recordsBytes(
  store: Pick<KeyValueStore, 'sizeOf'>,
  kept: Position,
  end?: Position,
): Promise<number> {
  const start = recordBound(kept < ANCHOR_POSITION ? ANCHOR_POSITION : kept);
  return (await store.sizeOf?.(start, end === undefined ? recordsEnd() : recordBound(end))) ?? 0;
}

/** Hash of the record at `first`; undefined when there is none. */
export function recordHash(store: Pick<KeyValueStore, 'get'>, crypto: Sha256, first: Position): Uint8Array | undefined {
  const bytes = store.get(recordKey(first, 0));
  return bytes && decodeHeader(first, bytes, crypto).hash;
}

/** Reads the record at `first` with point reads. Throws CorruptionError when it is missing or damaged. */
export function readRecord(
  store: Pick<KeyValueStore, 'get'>,
  crypto: Sha256,
  first: Position,
  requested: ReadonlySet<SectionName>,
): DecodedRecord {
  const bytes = store.get(recordKey(first, 0));
  if (bytes === undefined) throw new CorruptionError('record is missing', { position: first });
  const header = decodeHeader(first, bytes, crypto);
  return {
    header,
    events: decodeEvents(
      header,
      (name) => store.get(recordKey(first, SECTION[name])),
      crypto,
      requested,
      () => first < blocksFloor(store).before,
    ),
  };
}

/**
 * Decodes the rows of the record at `expected` and checks the digests of the requested sections. Sections may be pruned
 * in a record before `prunedBefore`. Throws CorruptionError.
 */
export function decodeRows(
  rows: readonly KeyValue[],
  expected: Position,
  crypto: Sha256,
  requested: ReadonlySet<SectionName> = ALL_SECTIONS,
  prunedBefore = 0n,
): DecodedRecord {
  const [head, ...sections] = rows;
  if (head === undefined || sectionOf(head) !== 0)
    throw new CorruptionError('record row is missing', { position: expected });
  if (firstOf(head) !== expected) throw new MissingRecordsError(expected, firstOf(head));
  const header = decodeHeader(expected, head.value, crypto);
  const stray = sections.find(
    (row) => !SECTION_NAMES.some((name) => SECTION[name] === sectionOf(row) && header.sections.has(name)),
  );
  if (stray !== undefined)
    throw new CorruptionError('row of a section that the record does not name', {
      position: expected,
      key: hex(stray.key),
    });
  const section = (name: SectionName): Uint8Array | undefined =>
    sections.find((row) => sectionOf(row) === SECTION[name])?.value;
  return { header, events: decodeEvents(header, section, crypto, requested, () => expected < prunedBefore) };
}

/** Groups rows by record. The last group may be incomplete and is dropped, unless `last` says that no rows follow. */
function completeRecords(rows: readonly KeyValue[], last: boolean): KeyValue[][] {
  const groups: KeyValue[][] = [];
  let current: bigint | undefined;
  for (const row of rows) {
    const first = firstOf(row);
    if (first === current) groups.at(-1)?.push(row);
    else groups.push([row]);
    current = first;
  }
  if (!last) groups.pop();
  return groups;
}

function firstOf(row: KeyValue): Position {
  if (row.key.length !== KEY_BYTES) throw new CorruptionError('record key of a wrong length', { key: hex(row.key) });
  return toPosition(readU64(row.key, 1));
}

function sectionOf(row: KeyValue): number {
  return row.key[KEY_BYTES - 1] ?? 0;
}
