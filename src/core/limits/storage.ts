/** Limits of writing, reading, checking and copying the database; part of `FIXED_LIMITS`. */
export const STORAGE_LIMITS = {
  /**
   * File descriptors reserved for the database, threads and modules: connections may not use them. A further fifth of
   * all is reserved for LevelDB tables.
   */
  reservedFiles: 64,
  /** Minimum number of connections that the servers accept, even if the process may open fewer files. */
  fewestConnections: 16,
  /**
   * Size of LevelDB's write buffer, bytes: it gathers rows in memory and in its log before it writes a table. While
   * it writes one, it holds twice as much. A start reads the log.
   */
  writeBufferBytes: 8 * 1024 * 1024,
  /** Size of a LevelDB block, bytes: LevelDB compresses and reads the rows of a block together. */
  levelBlockBytes: 16 * 1024,
  /** LevelDB's restart interval: number of keys from one that is stored in full to the next. */
  levelRestartInterval: 32,
  /**
   * Sizes of rows, in bytes, that are stored as their difference from a base row. Longer rows belong to blocks full
   * of transactions and are stored whole.
   */
  packedRowBytes: { least: 96, most: 16 * 1024 },
  /** A base row that compresses poorly is replaced after at most this many rows. */
  rowsOfBase: 256,
  /** Base rows that a reader keeps in memory: one megabyte at most. */
  cachedBases: 64,
  /**
   * State writes after which the next checkpoint of the trees is due at the earliest: a start applies so many in a
   * second.
   */
  checkpointWrites: 24_576,
  /**
   * Bytes of the last checkpoint that need one state write before the next checkpoint. So a large checkpoint is
   * written rarely.
   */
  checkpointWriteBytes: 512,
  /** Rows that are created for a batch between two turns of the event loop: some milliseconds. */
  madeRowsPerTurn: 512,
  /** Rows of a finished batch that are handed to LevelDB between two turns of the event loop: some milliseconds. */
  batchRowsPerTurn: 8_192,
  /** Size of LevelDB's cache of uncompressed blocks, bytes. */
  levelCacheBytes: 16 * 1024 * 1024,
  /** Characters of one line of `log import`: several times what a record of the largest block has. */
  logLineCharacters: 256 * 1024 * 1024,
  /** Attempts to copy the database of a running node: an attempt fails when the node adds or removes a file. */
  runningCopyAttempts: 50,
  /** Attempts to remove a temporary folder in which LevelDB still creates files. */
  removalAttempts: 20,
  /** Largest uncompressed block of a LevelDB table that is read, bytes. */
  unpackedBytes: 256 * 1024 * 1024,
  /** Events that `log verify` remembers because a later revert may remove their blocks: several times one revert. */
  verifyAbandoned: 100_000,
  /** Problems in a report of `log verify`; one is enough to stop a node. */
  verifyProblems: 1_000,
  /** Rows of one table that a report of `log verify` names; further ones are counted. */
  verifyRowsNamed: 10,
  /** Time that a start spends on comparing the state with the trees before the servers open, milliseconds. */
  stateCheckMs: 100,
  /** Time between two slices of the scan of a running node's storage, milliseconds; a slice takes one to four. */
  scanPauseMs: 1_000,
  /** Rows of a slice of the storage scan. */
  scanRows: 256,
  /** Bytes of the log after which a slice of the storage scan ends. */
  scanBytes: 64 * 1024,
  /**
   * The storage scan compares the attribute index of blocks with at most this many transactions: it computes the rows
   * of a block again without a pause.
   */
  scannedIndexTxs: 64,
  /** Values in one slice of the comparison of state and trees: about two milliseconds, which may delay a block. */
  stateCheckRows: 256,
  /** Rows that one pruning slice of a running node reads: about two milliseconds. */
  prunedRows: 192,
  /** Rows that one pruning slice reads in a database without a running node. */
  derivedPrunedRows: 10_000,
  /** Pause between two pruning slices, milliseconds. */
  prunePauseMs: 20,
  /**
   * Shortest pause between two pruning slices, milliseconds, used when pruning falls behind the chain: about twice
   * the duration of a slice.
   */
  leastPrunePauseMs: 4,
  /** Blocks from one anchor to the next. An anchor is a snapshot of the state that replaces pruned records. */
  anchorBlocks: 1_000,
  /** Blocks until the next attempt at an anchor that was given up because the state changed too fast. */
  anchorRetryBlocks: 100n,
  /** Bytes of an anchor's snapshot for each block that it replaces, at most: a large state has few anchors. */
  anchorBlockBytes: 400,
  /** Bytes per row of an anchor's snapshot; rows are written between blocks. */
  anchorPartBytes: 1_000_000,
  /** Rows of the newest state that the block pipeline keeps for the undo pages of the next blocks. */
  recentRows: 4_096,
  /** Largest row of the newest state that the block pipeline keeps, bytes. */
  recentRowBytes: 512,
  /** Bytes of undo pages that one reader of an old height keeps, so that it reads each of them once. */
  cachedUndoBytes: 4 * 1024 * 1024,
  /**
   * Blocks in one request to the executor when a command mines many, and so records in one batch of the log: about
   * six milliseconds of the main thread.
   */
  blocksOfRun: 16,
  /** Concurrent requests for runs of blocks, so that the executor need not wait for the main thread. */
  runsRequested: 2,
} as const;
