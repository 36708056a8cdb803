/** Limits of the attribute index, of searches and of readings of a whole state; part of `FIXED_LIMITS`. */
export const READING_LIMITS = {
  /** Postings that a search reads between two turns of the event loop: a few milliseconds. */
  searchPostingsPerTurn: 16_384,
  /** Unsorted postings that a search keeps in memory, 24 bytes each. Further ones need another pass. */
  searchHeldPostings: 1_048_576,
  /**
   * Transactions or blocks between two resume points of a search, at first; the distance doubles when there are too
   * many points.
   */
  searchResumeStride: 1_024,
  /** Resume points that one search keeps, 64 bytes each. */
  searchResumePoints: 4_096,
  /** An idle pool thread ends after this time, milliseconds. The thread for light calls never ends. */
  poolIdleMs: 60_000,
  /** Rows of a state that one step of the first proof of a block reads. */
  proofRows: 1_024,
  /** Rows of later blocks that are applied to the tries of proofs. Above that, the tries are built again. */
  proofChanges: 20_000,
  /** Memory of the storage tries that are kept for later proofs, bytes: enough for 700,000 slots. */
  storageTrieBytes: 64 * 1024 * 1024,
  /**
   * Rows that a query reads on the main thread: a page and the rows after it. A query that needs more goes on in the
   * pool.
   */
  queryRows: 2_048,
  /** A search scans at most this many unindexed transactions. Above that, the index is written in the next pause. */
  indexTailTxs: 64,
  /**
   * Rows after which a batch of the attribute index is written although more blocks wait. It bounds a turn of the
   * event loop.
   */
  indexRowsPerTurn: 1_000,
  /** Transactions whose index rows are made or removed in one step: some milliseconds. */
  indexTxsPerStep: 256,
} as const;
