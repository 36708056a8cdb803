/** Limits of writing, reading, checking and copying the database; part of `FIXED_LIMITS`. */
export const STORAGE_LIMITS = {
  /** Files that the connections of all faces leave to store, threads and modules, besides a fifth of all for tables. */
  reservedFiles: 64,
  /** Connections that are taken however few files the process may open. */
  fewestConnections: 16,
  /**
   * Rows that LevelDB gathers in memory, and in its log, before it writes a table: twice as much while it writes one. A
   * start reads the log.
   */
  writeBufferBytes: 8 * 1024 * 1024,
  /** Bytes of rows that LevelDB compresses together, and reads together. */
  levelBlockBytes: 16 * 1024,
  /** Keys from one that LevelDB writes whole to the next. */
  levelWholeKeys: 32,
  /** Bytes of rows that are stored as their difference from others; longer ones are of blocks full of transactions. */
  packedRowBytes: { least: 96, most: 16 * 1024 },
  /** Rows after which a base that serves badly is replaced. */
  rowsOfBase: 256,
  /** Bases that a reader keeps: one megabyte at most. */
  keptBases: 64,
  /** Writes of blocks after which a checkpoint of the trees is written, too: a start applies them in a second. */
  checkpointWrites: 24_576,
  /** Bytes of the last one for each write before the next: a large one is not written for a few blocks. */
  checkpointWriteBytes: 512,
  /** Rows of a batch that are made while it is filled, between two turns of the event loop: some milliseconds. */
  madeRowsPerTurn: 512,
  /** Rows of a batch that are prepared between two turns of the event loop: some milliseconds. */
  batchRowsPerTurn: 8_192,
  /** Bytes of unpacked blocks that LevelDB keeps in memory. */
  levelCacheBytes: 16 * 1024 * 1024,
  /** Characters of one line of `log import`: several times what a record of the largest block has. */
  logLineCharacters: 256 * 1024 * 1024,
  /** Attempts to copy a database that a node is writing, while the node changes the set of its files. */
  runningCopyAttempts: 50,
  /** Attempts to remove a temporary folder in which LevelDB still makes files. */
  removalAttempts: 20,
  /** Bytes of an unpacked block of a LevelDB table. */
  unpackedBytes: 256 * 1024 * 1024,
  /** Remembered events of blocks that may turn out to be abandoned: several times the size of one revert. */
  verifyAbandoned: 100_000,
  /** Problems in a report of `log verify`; one is enough to stop a node. */
  verifyProblems: 1_000,
  /** Rows of one table that such a report names; further ones are counted. */
  verifyRowsNamed: 10,
  /** Time for which a start compares the state with the trees before the faces open, milliseconds. */
  stateCheckMs: 100,
  /** Time between two slices of the scan of a running node's storage, milliseconds; a slice takes one to four. */
  scanPauseMs: 1_000,
  /** Rows of a slice of that scan. */
  scanRows: 256,
  /** Bytes of the log after which a slice of that scan ends. */
  scanBytes: 64 * 1024,
  /** Transactions of a block whose attribute index that scan compares: it is made anew without a pause. */
  scannedIndexTxs: 64,
  /** Values of one slice of that comparison: about two milliseconds, for which a block may have to wait. */
  stateCheckRows: 256,
  /** Rows that a slice of the pruning of a running node reads: about two milliseconds. */
  prunedRows: 192,
  /** Rows that such a slice reads in a database that no node runs on. */
  derivedPrunedRows: 10_000,
  /** Time between two such slices, milliseconds. */
  prunePauseMs: 20,
  /** The shortest time, for a pruning that lags behind the chain: about twice what a slice takes. */
  leastPrunePauseMs: 4,
  /** Blocks from one anchor, in place of pruned records, to the next. */
  anchorBlocks: 1_000,
  /** Blocks after an anchor was given up, because the state moved on too fast, until the next attempt. */
  anchorRetryBlocks: 100n,
  /** Bytes of an anchor's snapshot for each block that it replaces, at most: a large state has few anchors. */
  anchorBlockBytes: 400,
  /** Bytes of one row of such a snapshot: it is written between two blocks. */
  anchorPartBytes: 1_000_000,
  /** Rows of the newest state that the block pipeline keeps for the undo pages of the next blocks. */
  recentRows: 4_096,
  /** Bytes of the longest of these rows. */
  recentRowBytes: 512,
  /** Bytes of undo pages that one reader of an old height keeps, so that it reads each of them once. */
  keptUndoBytes: 4 * 1024 * 1024,
  /**
   * Blocks that the executor makes for one request of a command that mines many, and records that one batch of the log
   * holds: about six milliseconds of the main thread.
   */
  blocksOfRun: 16,
  /** Such requests that the executor has at once, so that it need not wait for the main thread. */
  runsAsked: 2,
} as const;
