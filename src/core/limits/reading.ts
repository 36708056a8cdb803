/** Limits of the attribute index, of searches and of readings of a whole state; part of `FIXED_LIMITS`. */
export const READING_LIMITS = {
  /** Postings that a search passes between two turns of the event loop: a few milliseconds. */
  searchedAtOnce: 16_384,
  /** Postings that a search holds whose rows are not in the order of heights, 24 bytes each; more need another pass. */
  searchHeldPostings: 1_048_576,
  /** Transactions or blocks between two places from which a search can be read again, at first. */
  searchMarkStride: 1_024,
  /** Such places, 64 bytes each. */
  searchMarks: 4_096,
  /** Time without work after which a thread of the pool is ended, but for that of light calls, milliseconds. */
  poolIdleMs: 60_000,
  /** Rows of a state that one step of the first proof of a block reads. */
  proofRows: 1_024,
  /** Rows of later blocks that are changed in the tries of proofs; with more the tries are made anew. */
  proofChanges: 20_000,
  /** Memory of the tries of contracts that are kept for later proofs, bytes: those of 700,000 slots. */
  storageTrieBytes: 64 * 1024 * 1024,
  /** Rows of a query that the main thread reads: a page with those after it. With more it goes on in the pool. */
  queryRows: 2_048,
  /** Transactions outside of the index that each search compares; with more the index is written in a pause. */
  indexTailTxs: 64,
  /** Rows after which a batch of the attribute index is written although more blocks wait: bounds a turn. */
  indexRowsPerTurn: 1_000,
  /** Transactions of a block whose rows in the index are found in one step, before they go: some milliseconds. */
  indexTxsPerStep: 256,
} as const;
