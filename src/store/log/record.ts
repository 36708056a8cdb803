/**
 * A record is one group commit: a batch of events with contiguous positions, split into sections. The record row holds
 * the hashed part (magic, positions, previous hash, section digests, envelopes). Each section is a separate row, so
 * that it can be pruned while the hash chain still verifies. Format: docs/decisions/0001-log-record.md.
 */
import type { Recorded } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValue } from '../../core/ports/key-value-store.js';
import { toPosition, type Position } from '../../core/primitives.js';
import { ANCHOR_MAGIC, ANCHOR_POSITION, anchorEvents, decodeAnchor, type Anchor } from './anchor.js';
import { ByteReader, ByteWriter, FormatError, readU64 } from '../bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { compare } from '../../core/bytes/bytes.js';
import { CorruptionError } from '../errors.js';
import { decodeEvent, encodeEvent } from '../codec/event-codec.js';
import {
  SECTION,
  SECTION_NAMES,
  type SectionName,
  type SectionReaders,
  type SectionWriters,
} from '../codec/sections.js';
import { recordKey } from '../keys.js';

export type Sha256 = Pick<Crypto, 'sha256'>;

/** 'CLR' and the format version. Version 2 has the envelopes in the record row, and traces before results. */
const MAGIC = Uint8Array.of(0x43, 0x4c, 0x52, 0x02);
const EARLIER_MAGIC = Uint8Array.of(0x43, 0x4c, 0x52, 0x01);
/** Sections stored as separate rows. */
const ROWS = ['transactions', 'results', 'writes', 'other'] as const satisfies readonly SectionName[];
/** 'CLG' and its version: a placeholder for records lost in a power cut. */
const LOST_MAGIC = Uint8Array.of(0x43, 0x4c, 0x47, 0x01);
const DIGEST_BYTES = 32;
/** Previous hash of the first record. */
export const NO_HASH: Uint8Array = new Uint8Array(DIGEST_BYTES);

export interface RecordHeader {
  /** Position of the first event. */
  readonly first: Position;
  readonly count: number;
  readonly previousHash: Uint8Array;
  readonly sections: ReadonlyMap<SectionName, { readonly size: number; readonly digest: Uint8Array }>;
  /** Undefined in a record of version 1, whose envelopes are a section. */
  readonly envelopes?: Uint8Array;
  /** sha256 of the record row: covers the digests, the envelopes and the previous hash. */
  readonly hash: Uint8Array;
  /** Present when this row is a placeholder for lost records; only these streams lost events. */
  readonly lost?: LostStreams;
  /** Present when this row is the anchor that replaces pruned records. */
  readonly anchor?: Anchor;
}

/** Last positions of the streams that lost events. */
export interface LostStreams {
  readonly mempool: bigint;
  readonly filters: bigint;
}

/**
 * The placeholder row for lost records. `hash` is the previous hash that the next record names, so that the hash chain
 * continues.
 */
export function lostRow(header: Required<Omit<RecordHeader, 'sections' | 'envelopes' | 'anchor'>>): KeyValue {
  const writer = new ByteWriter();
  writer.raw(LOST_MAGIC);
  writer.raw(be64(header.first));
  writer.uint(header.count);
  writer.raw(header.previousHash);
  writer.raw(header.hash);
  writer.uint(header.lost.mempool);
  writer.uint(header.lost.filters);
  return { key: recordKey(header.first, 0), value: writer.finish() };
}

export interface EncodedRecord {
  readonly hash: Uint8Array;
  /** The record row, then the section rows. */
  readonly rows: readonly KeyValue[];
}

/** Encodes events with contiguous positions as a record. */
export function encodeRecord(
  events: readonly [Recorded, ...Recorded[]],
  previousHash: Uint8Array,
  crypto: Sha256,
): EncodedRecord {
  const first = events[0].position;
  const results = new ByteWriter();
  const writers: SectionWriters = {
    envelope: new ByteWriter(),
    transactions: new ByteWriter(),
    results,
    writes: new ByteWriter(),
    trace: results,
    other: new ByteWriter(),
  };
  for (const event of events) encodeEvent(event, writers);
  const used = ROWS.filter((name) => writers[name].length > 0);
  const header = new ByteWriter();
  const rows: KeyValue[] = [];
  header.raw(MAGIC);
  header.raw(be64(first));
  header.uint(events.length);
  header.raw(previousHash);
  header.uint(used.length);
  for (const name of used) {
    const value = writers[name].finish();
    header.byte(SECTION[name]);
    header.uint(value.length);
    header.raw(crypto.sha256(value));
    rows.push({ key: recordKey(first, SECTION[name]), value });
  }
  header.raw(writers.envelope.finish());
  const value = header.finish();
  rows.unshift({ key: recordKey(first, 0), value });
  return { hash: crypto.sha256(value), rows };
}

/** Decodes a record row, an anchor, or a placeholder of `lostRow`. Throws CorruptionError with the position. */
export function decodeHeader(position: Position, bytes: Uint8Array, crypto: Sha256): RecordHeader {
  return namingPosition(position, () => {
    const reader = new ByteReader(bytes);
    const magic = reader.raw(MAGIC.length);
    const isLost = compare(magic, LOST_MAGIC) === 0;
    const isEarlier = compare(magic, EARLIER_MAGIC) === 0;
    const isAnchor = compare(magic, ANCHOR_MAGIC) === 0 && position === ANCHOR_POSITION;
    if (!isLost && !isAnchor && !isEarlier && compare(magic, MAGIC) !== 0)
      throw new FormatError('record magic differs');
    const first = toPosition(readU64(reader.raw(8), 0));
    if (first !== position) throw new FormatError(`record says that its first position is ${first}`);
    const count = reader.count();
    if (count === 0) throw new FormatError('record without events');
    const previousHash = reader.raw(DIGEST_BYTES);
    if (isLost) {
      const hash = reader.raw(DIGEST_BYTES);
      const lost = { mempool: reader.uint(), filters: reader.uint() };
      reader.end();
      return { first, count, previousHash, sections: new Map(), hash, lost };
    }
    if (isAnchor) {
      const hash = reader.raw(DIGEST_BYTES);
      const anchor = decodeAnchor(reader);
      reader.end();
      return { first, count, previousHash, sections: new Map(), hash, anchor };
    }
    const sections = new Map<SectionName, { size: number; digest: Uint8Array }>();
    for (let left = reader.count(); left > 0; left -= 1) {
      const number = reader.byte();
      const name = SECTION_NAMES.find((candidate) => SECTION[candidate] === number);
      if (name === undefined || sections.has(name)) throw new FormatError(`bad section number ${number}`);
      sections.set(name, { size: reader.count(), digest: reader.raw(DIGEST_BYTES) });
    }
    const envelopes = isEarlier ? undefined : reader.raw(reader.remaining);
    reader.end();
    return { first, count, previousHash, sections, hash: crypto.sha256(bytes), ...(envelopes && { envelopes }) };
  });
}

/**
 * Decodes the events of a record and checks the digest of every section read through `section`. Fields of sections
 * outside `requested`, and of pruned sections if `isPruned()`, are empty. The snapshot parts of an anchor are not
 * sections and are omitted. Throws CorruptionError with the position.
 */
export function decodeEvents(
  header: RecordHeader,
  section: (name: SectionName) => Uint8Array | undefined,
  crypto: Sha256,
  requested: ReadonlySet<SectionName>,
  isPruned: () => boolean,
): Recorded[] {
  if (header.lost !== undefined) return [];
  const { anchor } = header;
  if (anchor !== undefined) return namingPosition(header.first, () => [...anchorEvents(anchor)]);
  return namingPosition(header.first, () => {
    const reader = (name: SectionName): ByteReader | undefined => {
      const expected = header.sections.get(name);
      if (!requested.has(name)) return undefined;
      if (expected === undefined) return new ByteReader(new Uint8Array(0));
      const bytes = section(name);
      if (bytes === undefined && PRUNED_SECTIONS.has(name) && isPruned()) return undefined;
      if (bytes === undefined) throw new FormatError(`section ${name} is missing`);
      if (bytes.length !== expected.size || compare(crypto.sha256(bytes), expected.digest) !== 0) {
        throw new FormatError(`digest of section ${name} differs`);
      }
      return new ByteReader(bytes);
    };
    const { envelopes } = header;
    const envelope = envelopes === undefined ? reader('envelope') : new ByteReader(envelopes);
    if (envelope === undefined) throw new FormatError('envelopes are always requested');
    const results = reader('results');
    const readers: SectionReaders = {
      envelope,
      transactions: reader('transactions'),
      results,
      writes: reader('writes'),
      trace: envelopes === undefined ? reader('trace') : results,
      other: reader('other'),
    };
    const events: Recorded[] = [];
    for (let index = 0; index < header.count; index += 1) {
      events.push(decodeEvent(toPosition(header.first + BigInt(index)), readers));
    }
    for (const name of SECTION_NAMES) readers[name]?.end();
    return events;
  });
}

/** Sections that pruning deletes; no kept data is derived from them. */
const PRUNED_SECTIONS: ReadonlySet<SectionName> = new Set(['results', 'trace']);
export const ALL_SECTIONS: ReadonlySet<SectionName> = new Set(SECTION_NAMES);
/** Sections needed to read a block: all except state writes. */
export const BLOCK_SECTIONS: ReadonlySet<SectionName> = new Set(SECTION_NAMES.filter((name) => name !== 'writes'));

function namingPosition<Value>(position: bigint, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError || error instanceof RangeError)
      throw new CorruptionError(error.message, { position });
    throw error;
  }
}
