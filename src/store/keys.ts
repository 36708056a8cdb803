/**
 * Key layout of the one database. The first byte is a numbered prefix; a number is never used again for something else
 * (docs/decisions/0001-log-record.md). Numbers inside keys are eight bytes big-endian, so that key order is number
 * order.
 */
import type { Height, Position } from '../core/primitives.js';
import { concat } from '../core/bytes/bytes.js';
import { be64, writeBe64 } from '../core/bytes/big-endian.js';

export const PREFIX = {
  /** The head record: one row. */
  head: 0x01,
  /** Record rows: first position, then section number (0 is the record itself). */
  record: 0x02,
  /** Height to the records that hold its BlockDecided and BlockExecuted. */
  height: 0x03,
  /** Block hash to height. */
  blockHash: 0x04,
  /** Transaction hash to height and index. */
  txHash: 0x05,
  /** The verified part of the log: one row. */
  verified: 0x06,
  /** Id of a command that must take effect once, to the events that it caused. */
  once: 0x07,
  /** Place of the last SnapshotRestored, in a log that began with one: one row. */
  restored: 0x08,
  /** Hash of evidence to the height of the block that holds it. */
  evidence: 0x09,
  /** The end of the log that was on the disk when the last batch was written: one row. */
  durable: 0x0a,
  /** Hash of a block on the Ethereum face to height, where that is another than the block's own. */
  headerHash: 0x0b,
  /** The lowest block that is kept whole: one row (src/store/log/blocks-floor.ts). */
  blocksFloor: 0x0c,
  /** The anchor that takes effect next, and the parts of the snapshots of anchors (src/store/log/anchor.ts). */
  anchor: 0x0d,
  /** 0x10 to 0x1f: the application's state (src/store/state). */
  state: 0x10,
  /** 0x50: the last checkpoint of the IAVL trees (src/store/checkpoints). */
  checkpoint: 0x50,
  /**
   * 0x40: transactions that wait for a block, by hash: as homes were written before the pool had a checkpoint
   * (src/store/pool).
   */
  pending: 0x40,
  /** 0x41: the checkpoint of what waits for a block (src/store/pool). */
  pool: 0x41,
  /** 0x48: polling filters of the Ethereum face, by id (src/store/filters). */
  filter: 0x48,
  /** 0x58: clock and snapshots of dev mode (src/store/dev). */
  dev: 0x58,
  /** 0x30: validators and consensus parameters by the height from which they hold (src/store/history). */
  history: 0x30,
  /** 0x20 to 0x2f: secondary indexes, rebuilt by replay (src/store/index-rows). */
  index: 0x20,
} as const;

export const headKey = (): Uint8Array => Uint8Array.of(PREFIX.head);
export const restoredKey = (): Uint8Array => Uint8Array.of(PREFIX.restored);
export const durableKey = (): Uint8Array => Uint8Array.of(PREFIX.durable);
export const blocksFloorKey = (): Uint8Array => Uint8Array.of(PREFIX.blocksFloor);
/** The row of the anchor that takes the place of records next. */
export const nextAnchorKey = (): Uint8Array => Uint8Array.of(PREFIX.anchor, 0);
/** Bound for ranges over parts of snapshots: before those of a height. */
export const anchorPartsBound = (height: bigint): Uint8Array => concat(Uint8Array.of(PREFIX.anchor, 1), be64(height));
/** A part of the snapshot of a height, by its number. */
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
/** Bound for ranges over records: before every row of the record at `first`. */
export const recordBound = (first: bigint): Uint8Array => concat(Uint8Array.of(PREFIX.record), be64(first));
/** After every record row. */
export const recordsEnd = (): Uint8Array => Uint8Array.of(PREFIX.record + 1);
export const heightKey = (height: Height): Uint8Array => concat(Uint8Array.of(PREFIX.height), be64(height));
export const blockHashKey = (hash: Uint8Array): Uint8Array => concat(Uint8Array.of(PREFIX.blockHash), hash);
export const headerHashKey = (hash: Uint8Array): Uint8Array => concat(Uint8Array.of(PREFIX.headerHash), hash);
export const txHashKey = (hash: Uint8Array): Uint8Array => concat(Uint8Array.of(PREFIX.txHash), hash);
export const evidenceKey = (hash: Uint8Array): Uint8Array => concat(Uint8Array.of(PREFIX.evidence), hash);
export const onceKey = (id: string): Uint8Array => concat(Uint8Array.of(PREFIX.once), new TextEncoder().encode(id));
