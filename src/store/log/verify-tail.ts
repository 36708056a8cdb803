import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { compare } from '../../core/bytes/bytes.js';
import { decodeCheckpoint } from './checkpoint.js';
import { CorruptionError } from '../errors.js';
import { decodeHead, EMPTY_HEAD, type LogHead } from './head.js';
import { headKey, recordBound, recordsEnd, verifiedKey } from '../keys.js';
import { readRecords } from './read-records.js';
import { NO_HASH, type Sha256 } from './record.js';
import type { Witnessed } from './witness.js';

/**
 * Verifies the records since the last checkpoint (digests, contiguity, hash chain), that the head names the last record
 * and none follows it, and that the witnessed head is in the log. Returns the head. Throws CorruptionError.
 */
export async function verifyTail(
  store: KeyValueStore,
  crypto: Sha256,
  witnessed: Witnessed | undefined,
): Promise<LogHead> {
  const head = readHead(store);
  if (witnessed !== undefined && witnessed.position > head.position) {
    throw new CorruptionError(
      `events up to ${witnessed.position} were acknowledged, the log ends at ${head.position}`,
      { position: head.position },
    );
  }
  const beyond = await store.range({ start: recordBound(head.position + 1n), end: recordsEnd(), limit: 1 });
  if (beyond.length > 0) throw new CorruptionError('records lie beyond the head', { position: head.position });
  if (head.position === 0n) return head;
  const bytes = store.get(verifiedKey());
  const checkpoint = bytes === undefined ? undefined : decodeCheckpoint(bytes);
  if (checkpoint !== undefined && checkpoint.record > head.record)
    throw new CorruptionError('the checkpoint lies beyond the head', { position: head.position });
  const first = checkpoint?.record ?? 1n;
  const previousHash = checkpoint === undefined ? NO_HASH : undefined;
  let last = { record: 0n, position: 0n, hash: NO_HASH };
  for await (const { header } of readRecords(store, crypto, { first, through: head.position, previousHash })) {
    if (header.first === checkpoint?.record && compare(header.hash, checkpoint.hash) !== 0) {
      throw new CorruptionError('hash of the checkpoint record differs', { position: header.first });
    }
    last = { record: header.first, position: header.first + BigInt(header.count) - 1n, hash: header.hash };
    if (last.position === witnessed?.position && compare(last.hash, witnessed.hash) !== 0) {
      throw new CorruptionError('hash of the last acknowledged record differs', { position: header.first });
    }
  }
  if (last.record !== head.record || last.position !== head.position || compare(last.hash, head.hash) !== 0) {
    throw new CorruptionError('the head does not name the last record', { position: head.position });
  }
  return head;
}

/** Reads the head; the empty head when the row is absent. */
export function readHead(store: KeyValueStore): LogHead {
  const bytes = store.get(headKey());
  return bytes === undefined ? EMPTY_HEAD : decodeHead(bytes);
}
