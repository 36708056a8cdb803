/**
 * LevelDB's write batches as they are stored in its write-ahead log: a sequence number, a row count, and the rows
 * (db/write_batch.cc of google/leveldb 1.20). Sequence numbers continue from batch to batch, also across log files.
 */
import { equal } from '../../core/bytes/bytes.js';
import { ByteReader, FormatError } from '../bytes.js';
import type { SoundRecord } from './log-format.js';

/** A write batch, and its place in its log file. */
export interface LoggedBatch extends SoundRecord {
  /** Sequence number of its first row. */
  readonly sequence: bigint;
  /** Sequence number of the row that follows the batch. */
  readonly next: bigint;
}

const HEADER_BYTES = 12;
const [DELETION, VALUE] = [0, 1] as const;

/** Reads the batch header of a log record; undefined when the record is too short. */
export function loggedBatch(record: SoundRecord): LoggedBatch | undefined {
  if (record.bytes.length < HEADER_BYTES) return undefined;
  const view = new DataView(record.bytes.buffer, record.bytes.byteOffset, HEADER_BYTES);
  const sequence = view.getBigUint64(0, true);
  return { ...record, sequence, next: sequence + BigInt(view.getUint32(8, true)) };
}

/** The last value that a batch puts at `key`; undefined when it puts none or deletes it last. Throws FormatError. */
export function valueIn({ bytes }: LoggedBatch, key: Uint8Array): Uint8Array | undefined {
  const reader = new ByteReader(bytes.subarray(HEADER_BYTES));
  let found: Uint8Array | undefined;
  while (reader.remaining > 0) {
    const kind = reader.byte();
    if (kind !== VALUE && kind !== DELETION) throw new FormatError(`unknown kind of row ${kind} in a write`);
    const isThisKey = equal(reader.bytes(), key);
    const value = kind === VALUE ? reader.bytes() : undefined;
    if (isThisKey) found = value;
  }
  return found;
}
