/** Limits of what `chronicle_*` methods tell of the node and of differences of its state; part of `FIXED_LIMITS`. */
export const INSPECTION_LIMITS = {
  /** Fields of one row that a difference of states describes; the others are counted. */
  describedFields: 1_000,
  /** Fields in the line of a changed row; the others are counted. */
  fieldsInLine: 8,
  /** Characters of one field that a difference shows. */
  fieldCharacters: 4_096,
  /** Blocks between the moments of a difference that are searched by what each wrote; with more every row is read. */
  diffBlocks: 100_000,
  /** Rows that those blocks wrote; with more every row is read. */
  diffKeys: 100_000,
  /** Pages of those blocks, or rows of a state, between two turns of the event loop. */
  diffStep: 256,
  /** Rows of a state that one answer compares; a cursor continues. */
  diffRows: 50_000,
  /** Changes in one answer. */
  diffChanges: 1_000,
  /** Changes in an answer when the request gives no number. */
  diffChangesDefault: 100,
  /** Characters of the changes in one answer; the last one may exceed it. */
  diffCharacters: 4 * 1024 * 1024,
} as const;
