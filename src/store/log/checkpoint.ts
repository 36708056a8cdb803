/** The verification checkpoint of the log: opening verifies only from this record to the head. */
import type { StoreOperation } from '../../core/ports/key-value-store.js';
import { toPosition, type Position } from '../../core/primitives.js';
import { ByteWriter } from '../bytes.js';
import { verifiedKey } from '../keys.js';
import { readRow } from '../rows/read-row.js';
import { NO_HASH } from './record.js';

/** The record at position `record` and all earlier ones were verified; its hash was `hash`. */
export interface Checkpoint {
  readonly record: Position;
  readonly hash: Uint8Array;
}

/** Operation that stores the checkpoint. */
export function checkpointRow({ record, hash }: Checkpoint): StoreOperation {
  const writer = new ByteWriter();
  writer.uint(record);
  writer.raw(hash);
  return { type: 'put', key: verifiedKey(), value: writer.finish() };
}

/** Decodes the checkpoint row. Throws CorruptionError. */
export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  return readRow('checkpoint row', bytes, (reader) => ({
    record: toPosition(reader.uint()),
    hash: reader.raw(NO_HASH.length).slice(),
  }));
}
