/** Limits of snapshots for state sync; part of `FIXED_LIMITS`. */
export const SNAPSHOT_LIMITS = {
  /** Bytes of one chunk (cosmossdk.io/store v1.1.2 `snapshots/stream.go`, `snapshotChunkSize`). */
  snapshotChunkBytes: 10_000_000,
  /** Bytes of one item of the stream (`snapshots/manager.go`, `snapshotMaxItemSize`). */
  snapshotItemBytes: 64_000_000,
  /** Leaves per slice when a snapshot is taken; a block waits for one slice at most. */
  snapshotSliceLeaves: 256,
  /**
   * Additional heights whose trees stay in memory while a snapshot of the oldest is taken: one of a million accounts
   * takes minutes.
   */
  snapshotHeights: 1_000,
  /** Bytes per slice when a snapshot is taken. */
  snapshotSliceBytes: 256 * 1024,
  /** Total chunk bytes of a restored external snapshot: the log stores them in one record. */
  snapshotBytes: 128 * 1024 * 1024,
  /** Bytes of the files in a snapshot archive: its chunks and its chain's genesis. */
  snapshotArchiveBytes: 256 * 1024 * 1024,
  /** Bytes of an external snapshot's unpacked stream. Anchors are read in parts and are not bounded. */
  snapshotUnpackedBytes: 1024 * 1024 * 1024,
  /** Values of an external snapshot: about as many as `snapshotBytes` can hold. */
  snapshotValues: 2_000_000,
  /** Stores of a restored snapshot. */
  snapshotStores: 1_000,
  /** Chunks of a restored snapshot. */
  snapshotChunks: 1_000,
  /** Snapshots that a home lists. */
  snapshotsListed: 100,
} as const;
