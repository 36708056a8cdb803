import { be64 } from '../../core/bytes/big-endian.js';
import { concat } from '../../core/bytes/bytes.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toPosition, type Height } from '../../core/primitives.js';
import { instanceRow, readInstanceId } from '../../store/dev/dev-rows.js';
import { ANCHOR_POSITION } from '../../store/log/anchor.js';
import type { EventLog } from '../../store/log/event-log.js';
import { recordHash } from '../../store/log/read-records.js';

export interface InstanceIdOptions {
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly log: Pick<EventLog, 'blockAt' | 'keptFrom'>;
  readonly crypto: Crypto;
  /** Height of the first block of the log. */
  readonly first: () => Height;
}

/**
 * Id of the chain in a log: the sha256 of its first block with the log position and the time of that block. When an
 * anchor replaces this block, a row keeps the id; homes that an earlier build anchored have no such row, and their id
 * is the hash of the log's first record. Undefined before the first block.
 */
export function instanceIdOf({ store, log, crypto, first }: InstanceIdOptions): Uint8Array | undefined {
  const kept = readInstanceId(store);
  if (kept !== undefined) return kept;
  if (log.keptFrom() > ANCHOR_POSITION) return recordHash(store, crypto, toPosition(1n));
  const decided = log.blockAt(first())?.decided;
  return decided && crypto.sha256(concat(decided.event.data.block, be64(decided.position), be64(decided.time)));
}

/** Rows that keep the id, for the batch of an anchor. */
export function instanceRows(options: InstanceIdOptions): readonly StoreOperation[] {
  const id = instanceIdOf(options);
  return id === undefined ? [] : [instanceRow(id)];
}
