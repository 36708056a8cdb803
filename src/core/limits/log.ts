/** Limits of the log, its checkpoints and its indexes; part of `FIXED_LIMITS`. */
export const LOG_LIMITS = {
  /** Events in one batch of the log; bounds the memory of a record. */
  eventsPerBatch: 4_096,
  /** Calls of `append` that wait for their batch. */
  waitingAppends: 10_000,
  /** Addresses that the log keeps of those that the frames of one transaction touched: the first ones. */
  touchedAddresses: 16_384,
  /** Events after a checkpoint after which the next one is written; bounds the number that a start reads. */
  eventsPerCheckpoint: 4_096n,
  /** Rows of one step when records are read; a record has at most seven, so at least one fits. */
  recordRowsPerRead: 128,
  /** Rows of one step when every row is verified. */
  verifyRowsPerRead: 512,
  /** Rows of one step when a whole table is read at a start. */
  rowsPerRead: 1_000,
  /** Places of a log at which records may be missing that held admissions only, before it counts as damaged. */
  lostRecords: 16,
  /** Blocks that are held for a busy reader of a library feed; later ones are read from the log. */
  heldBlocks: 64,
  /** Blocks after which a checkpoint of the trees is written; bounds the number whose writes a start applies again. */
  checkpointBlocks: 1_000n,
  /** Blocks after a checkpoint of the trees within which it is written: it is begun before the next block. */
  checkpointDelayBlocks: 10n,
  /** Blocks of a chain that has rows in the attribute index: its first window is written without a pause. */
  indexedBlocks: 64n,
  /** Blocks outside of the attribute index, some kilobytes each, at which it is written without a pause. */
  indexBacklogBlocks: 1_024n,
  /** Blocks that one revert takes out of the attribute index one by one, although fewer stay. */
  indexRevertBlocks: 256n,
  /** Abandoned blocks that one `evm_revert` looks at between two turns of the event loop. */
  revertBlocksPerTurn: 64,
  /** Bytes that gather in memory before they are written to a database that is made from a log. */
  writeBehindBytes: 8 * 1024 * 1024,
} as const;
