/**
 * The stream of a snapshot as chunks: compressed with zlib, then cut (cosmossdk.io/store v1.1.2 `snapshots/stream.go`).
 */
import { inflateSync } from 'node:zlib';
import { SnapshotRefused } from '../../core/multistore/snapshot-items.js';
import { readSnapshot, type SnapshotContent } from '../../core/multistore/snapshot-trees.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Height } from '../../core/primitives.js';

/** Number of the format (cosmossdk.io/store v1.1.2 `snapshots/types/format.go`). */
export const SNAPSHOT_FORMAT = 3;

export interface SnapshotChunks {
  readonly height: Height;
  readonly appHash: Uint8Array;
  readonly chunks: readonly Uint8Array[];
}

/** Reads the chunks of a snapshot, whose content must have the app hash of the height. Throws SnapshotRefused. */
export function readChunks(
  crypto: Crypto,
  { height, appHash, chunks }: SnapshotChunks,
  unpackedBytes: number = FIXED_LIMITS.snapshotUnpackedBytes,
): SnapshotContent {
  return readSnapshot(crypto, height, appHash, unpacked(chunks, unpackedBytes));
}

function unpacked(chunks: readonly Uint8Array[], maxOutputLength: number): Uint8Array {
  try {
    return inflateSync(Buffer.concat(chunks), { maxOutputLength });
  } catch {
    throw new SnapshotRefused('its chunks cannot be unpacked');
  }
}
