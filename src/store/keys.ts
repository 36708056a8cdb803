/**
 * Key layout of the database. The first byte of a key is the table's prefix number; a retired number is never reused
 * (docs/decisions/0001-log-record.md). Numbers inside keys are eight bytes big-endian, so key order is numeric order.
 */
import type { Height, Position } from '../core/primitives.js';
import { concat } from '../core/bytes/bytes.js';
import { be64, writeBe64 } from '../core/bytes/big-endian.js';

export const PREFIX = {
  /** The head record: one row. */
  head: 0x01,
  /** Record rows: first position, then section number (0 is the record itself). */
  record: 0x02,
  /** Height to the records with its BlockDecided and BlockExecuted. */
  height: 0x03,
  /** Block hash to height. */
  blockHash: 0x04,
  /** Transaction hash to height and index. */
  txHash: 0x05,
  /** The last verified record of the log: one row. */
  verified: 0x06,
  /** Idempotency key of a command, to the events that it caused. */
  once: 0x07,
  /** Location of the last SnapshotRestored event, in a log that began with one: one row. */
  restored: 0x08,
  /** Hash of evidence to the height of the block that holds it. */
  evidence: 0x09,
  /** Position up to which the log was fsynced when the last batch was written: one row. */
  durable: 0x0a,
  /** Ethereum block hash to height, where it differs from the consensus block hash. */
  headerHash: 0x0b,
  /** The lowest complete block (blocks below are pruned): one row (src/store/log/blocks-floor.ts). */
  blocksFloor: 0x0c,
  /** The next anchor, prepared but not in place yet, and the snapshot parts of anchors (src/store/log/anchor.ts). */
  anchor: 0x0d,
  /** 0x10 to 0x1f: the application's state (src/store/state). */
  state: 0x10,
  /** 0x50: the last checkpoint of the IAVL trees (src/store/checkpoints). */
  checkpoint: 0x50,
  /** 0x40: pending transactions by hash, in homes of builds without a pool checkpoint (src/store/pool). */
  pending: 0x40,
  /** 0x41: the checkpoint of pending transactions (src/store/pool). */
  pool: 0x41,
  /** 0x48: polling filters of the Ethereum face, by id (src/store/filters). */
  filter: 0x48,
  /** 0x58: clock, snapshots and instance id of dev mode (src/store/dev). */
  dev: 0x58,
  /** 0x30: validator sets and consensus parameters, by the height from which they are valid (src/store/history). */
  history: 0x30,
  /** 0x20 to 0x2f: secondary indexes, rebuilt by replay (src/store/index-rows). */
  index: 0x20,
} as const;

export const headKey = (): Uint8Array => Uint8Array.of(PREFIX.head);
export const restoredKey = (): Uint8Array => Uint8Array.of(PREFIX.restored);
export const durableKey = (): Uint8Array => Uint8Array.of(PREFIX.durable);
export const blocksFloorKey = (): Uint8Array => Uint8Array.of(PREFIX.blocksFloor);
/** Key of the next anchor, which is prepared but not in place yet. */
export const nextAnchorKey = (): Uint8Array => Uint8Array.of(PREFIX.anchor, 0);
/** Lower bound for ranges over snapshot parts of anchors from `height` on. */
export const anchorPartsBound = (height: bigint): Uint8Array => concat(Uint8Array.of(PREFIX.anchor, 1), be64(height));
/** Key of part `index` of the anchor snapshot at `height`. */
export const anchorPartKey = (height: Height, index: number): Uint8Array =>
  concat(anchorPartsBound(height), be64(BigInt(index)));
export const verifiedKey = (): Uint8Array => Uint8Array.of(PREFIX.verified);
/** Row `section` of the record whose first event has position `first`. */
export function recordKey(first: Position, section: number): Uint8Array {
  const key = new Uint8Array(10);
  key[0] = PREFIX.record;
  writeBe64(key, 1, first);
  key[9] = section;
  return key;
}
/** Lower bound for ranges over records: sorts before every row of the record at `first`. */
export const recordBound = (first: bigint): Uint8Array => concat(Uint8Array.of(PREFIX.record), be64(first));
/** Upper bound for ranges over records. */
export const recordsEnd = (): Uint8Array => Uint8Array.of(PREFIX.record + 1);
export const heightKey = (height: Height): Uint8Array => concat(Uint8Array.of(PREFIX.height), be64(height));
export const blockHashKey = (hash: Uint8Array): Uint8Array => concat(Uint8Array.of(PREFIX.blockHash), hash);
export const headerHashKey = (hash: Uint8Array): Uint8Array => concat(Uint8Array.of(PREFIX.headerHash), hash);
export const txHashKey = (hash: Uint8Array): Uint8Array => concat(Uint8Array.of(PREFIX.txHash), hash);
export const evidenceKey = (hash: Uint8Array): Uint8Array => concat(Uint8Array.of(PREFIX.evidence), hash);
export const onceKey = (id: string): Uint8Array => concat(Uint8Array.of(PREFIX.once), new TextEncoder().encode(id));
