import type { SnapshotHead } from '../../core/log-events.js';
import type { ByteReader, ByteWriter } from '../bytes.js';

/** Writes the head block's data of a snapshot. The field order never changes. */
export function encodeSnapshotHead(head: SnapshotHead, to: ByteWriter): void {
  const { header, blockId, commit, lastValidators, lastResultsHash, record } = head;
  for (const field of [header, blockId, commit, lastValidators, lastResultsHash, record]) to.bytes(field);
}

/** Inverse of `encodeSnapshotHead`; throws FormatError. */
export function decodeSnapshotHead(from: ByteReader): SnapshotHead {
  return {
    header: from.bytes(),
    blockId: from.bytes(),
    commit: from.bytes(),
    lastValidators: from.bytes(),
    lastResultsHash: from.bytes(),
    record: from.bytes(),
  };
}
