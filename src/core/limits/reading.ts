/** Limits of searches and of readings of a whole state; part of `FIXED_LIMITS`. */
export const READING_LIMITS = {
  /** Postings that a search passes between two turns of the event loop: a few milliseconds. */
  searchedAtOnce: 16_384,
  /** Postings that a search holds whose rows are not in the order of heights, 24 bytes each; more need another pass. */
  searchHeldPostings: 1_048_576,
  /** What a search finds between two places from which it can be read again, at first. */
  searchMarkStride: 1_024,
  /** Such places, 64 bytes each. */
  searchMarks: 4_096,
} as const;
