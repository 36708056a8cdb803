/** Limits of snapshots for state sync; part of `FIXED_LIMITS`. */
export const SNAPSHOT_LIMITS = {
  /** Bytes of one chunk (cosmossdk.io/store v1.1.2 `snapshots/stream.go`, `snapshotChunkSize`). */
  snapshotChunkBytes: 10_000_000,
  /** Bytes of one item of the stream (`snapshots/manager.go`, `snapshotMaxItemSize`). */
  snapshotItemBytes: 64_000_000,
  /** Leaves of one slice of a snapshot that is taken: a block waits for one slice at most. */
  snapshotSliceLeaves: 256,
  /**
   * Heights whose trees stay in memory, besides those that are provable, while a snapshot of the first of them is
   * taken: that of a million accounts takes minutes.
   */
  snapshotHeights: 1_000,
  /** Bytes of items after which a slice of a snapshot that is taken ends. */
  snapshotSliceBytes: 256 * 1024,
  /** Bytes of all chunks of a snapshot from outside that is restored: the log keeps them in one record. */
  snapshotBytes: 128 * 1024 * 1024,
  /** Bytes of the files in an archive of a snapshot: its chunks, and the genesis of its chain. */
  snapshotArchiveBytes: 256 * 1024 * 1024,
  /** Bytes of its unpacked stream. Anchors, whose snapshots are read in parts, are not bounded. */
  snapshotUnpackedBytes: 1024 * 1024 * 1024,
  /** Values of such a snapshot: about those that `snapshotBytes` can hold of a chain. */
  snapshotValues: 2_000_000,
  /** Stores of a snapshot that is restored. */
  snapshotStores: 1_000,
  /** Chunks of a snapshot that is restored. */
  snapshotChunks: 1_000,
  /** Snapshots that a home lists. */
  snapshotsListed: 100,
} as const;
