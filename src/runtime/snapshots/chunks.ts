/** Snapshot streams as chunks: compressed with zlib, then split (cosmossdk.io/store v1.1.2 `snapshots/stream.go`). */
import { pipeline, Readable } from 'node:stream';
import { createInflate, inflateSync } from 'node:zlib';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { LoggedChunks } from '../../core/log-events.js';
import type { Commit } from '../../core/multistore/versions.js';
import type { Multistore } from '../../core/multistore/multistore.js';
import { ItemReader, SnapshotRefused, type Item } from '../../core/multistore/snapshot-items.js';
import {
  OWN_SNAPSHOT,
  readSnapshot,
  SnapshotValues,
  type SnapshotContent,
  type SnapshotValue,
} from '../../core/multistore/snapshot-trees.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Height } from '../../core/primitives.js';

/** Snapshot format number (cosmossdk.io/store v1.1.2 `snapshots/types/format.go`). */
export const SNAPSHOT_FORMAT = 3;

export interface SnapshotChunks {
  readonly height: Height;
  readonly appHash: Uint8Array;
  readonly chunks: readonly Uint8Array[];
}

/** Bytes unpacked per step. */
const UNPACKED_BYTES = 256 * 1024;

/** A snapshot in the log. */
export interface LoggedSnapshot {
  readonly height: Height;
  readonly appHash: Uint8Array;
  readonly chunks: LoggedChunks;
}

/** Unpacks and verifies an untrusted snapshot: its content must match the app hash. Throws SnapshotRefused. */
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

/**
 * Builds the trees of a logged snapshot in an empty multistore, with a chunk or two in memory. `onValues` receives the
 * values in batches, before the app hash is verified. Throws SnapshotRefused, and what the chunks throw.
 */
export async function restoreTrees(
  multistore: Multistore,
  { height, appHash, chunks }: LoggedSnapshot,
  onValues: (values: readonly SnapshotValue[]) => Promise<void> | void = () => undefined,
): Promise<Commit> {
  const restoring = multistore.restoring(height, OWN_SNAPSHOT);
  const reader = new SnapshotValues();
  for await (const items of itemsOf(chunks)) await onValues(reader.take(items, restoring.add));
  return restoring.finish(appHash);
}

/**
 * The values of a logged snapshot, in batches of a few thousand; not verified against the app hash. Throws as
 * `restoreTrees`.
 */
export async function* snapshotValues({
  chunks,
}: Pick<LoggedSnapshot, 'chunks'>): AsyncGenerator<readonly SnapshotValue[]> {
  const reader = new SnapshotValues();
  for await (const items of itemsOf(chunks)) yield reader.take(items);
}

/** Unpacks the items of a snapshot piece by piece. */
async function* itemsOf(chunks: LoggedChunks): AsyncGenerator<Iterable<Item>> {
  // Buffer at most one chunk and one piece.
  const waiting = { writableHighWaterMark: 1, readableHighWaterMark: 1 };
  const inflate = createInflate({ chunkSize: UNPACKED_BYTES, ...waiting });
  const pieces: AsyncIterable<Buffer> = inflate;
  // The reader of `pieces` receives all errors, including those of the chunks.
  pipeline(Readable.from(chunks, { highWaterMark: 1 }), inflate, () => undefined);
  const reader = new ItemReader();
  try {
    for await (const { buffer, byteOffset, length } of pieces)
      yield reader.take(new Uint8Array(buffer, byteOffset, length));
    reader.end();
  } catch (error) {
    throw isOfZlib(error) ? new SnapshotRefused('its chunks cannot be unpacked') : error;
  }
}

function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
