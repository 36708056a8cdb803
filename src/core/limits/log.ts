/** Limits of the log, its checkpoints and its indexes; part of `FIXED_LIMITS`. */
export const LOG_LIMITS = {
  /** Events in one batch of the log; bounds the memory of a record. */
  eventsPerBatch: 4_096,
  /** Waiting `append` calls. */
  waitingAppends: 10_000,
  /** Touched addresses logged per transaction (the first ones). */
  touchedAddresses: 16_384,
  /** Events between verification checkpoints; bounds the events that a start reads. */
  eventsPerCheckpoint: 4_096n,
  /** Rows per step when records are read; a record has at most seven rows. */
  recordRowsPerRead: 128,
  /** Rows per step when every row is verified. */
  verifyRowsPerRead: 512,
  /** Rows per step when a whole table is read at start. */
  rowsPerRead: 1_000,
  /** Gaps of lost admission records that are repaired in one log before it counts as damaged. */
  lostRecords: 16,
  /** Blocks buffered for a slow reader of a library feed; later ones are read from the log. */
  heldBlocks: 64,
  /** Blocks between tree checkpoints; bounds the blocks replayed at a start. */
  checkpointBlocks: 1_000n,
  /** Blocks within which a due tree checkpoint is certainly written: it is requested before the next block. */
  checkpointDelayBlocks: 10n,
  /** A chain with at least this many blocks always has index rows: its first window is written without delay. */
  indexedBlocks: 64n,
  /** Unindexed blocks (some kilobytes each) at which indexing starts without delay. */
  indexBacklogBlocks: 1_024n,
  /**
   * Blocks that a revert removes from the index one by one; above it, the index is rebuilt if more blocks go than stay.
   */
  indexRevertBlocks: 256n,
  /** Blocks that one `evm_revert` examines between two turns of the event loop. */
  revertBlocksPerTurn: 64,
  /** Bytes buffered in memory before they are written to a database derived from a log. */
  writeBehindBytes: 8 * 1024 * 1024,
} as const;
