import { VERIFICATION_LIMITS } from './verification.js';

/** Limits of what `chronicle_*` methods tell of the node and of differences of its state; part of `FIXED_LIMITS`. */
export const INSPECTION_LIMITS = {
  ...VERIFICATION_LIMITS,
  /** Fields of one row that a difference of states describes; the others are counted. */
  describedFields: 1_000,
  /** Fields in the line of a changed row; the others are counted. */
  fieldsInLine: 8,
  /** Characters of one field that a difference shows. */
  fieldCharacters: 4_096,
  /** Blocks between the moments of a difference that are searched by what each wrote; with more every row is read. */
  diffBlocks: 100_000,
  /** Rows that the blocks between the two heights wrote; with more, every row is read. */
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
  /** Events of the log in one answer. */
  logEvents: 1_000,
  /** Events in an answer when the request gives no number. */
  logEventsDefault: 100,
  /** Events that one answer compares with a filter; a cursor continues. */
  logEventsRead: 10_000,
  /** Events that are read at a time, from the newest on. */
  logEventsStep: 128,
  /** Characters of the events in one answer; the last one may exceed it. */
  logCharacters: 4 * 1024 * 1024,
  /** Characters of the data of one event in JSON; longer data is left out. */
  logEventCharacters: 2 * 1024 * 1024,
  /** Longest rehearsal of an upgrade, milliseconds. */
  rehearsalMs: 300_000,
  /** Bytes that the rehearsal of an upgrade may print. */
  rehearsalBytes: 16 * 1024 * 1024,
  /** Addresses in one answer whose contract is looked up. */
  namedContracts: 200,
  /** Lines of `log export` that one request decodes. */
  recordLines: 200,
  /** Events before the block of a transaction among which its admission is looked for. */
  admissionsBefore: 4_096,
  /** Longest wait for an event that is not there yet, milliseconds. */
  logWaitMs: 30_000,
  /** Requests that wait for a future event of the log. */
  logWaiting: 256,
  /** Blocks whose events one test of a query compares. */
  matchedBlocks: 1_000,
  /** Blocks of a test when the request gives no number. */
  matchedBlocksDefault: 100,
  /** Events in the answer of a test; the others are counted. */
  queryMatches: 1_000,
  /** Values of one key that such an event shows. */
  matchedValues: 16,
  /** Subscriptions, and filters, in one answer. */
  listedSubscriptions: 1_000,
  /** Characters of their criteria, and of those that ended; the last one may exceed it, those after it are counted. */
  listedCharacters: 1024 * 1024,
  /** Subscriptions that ended and are remembered with the reason. */
  endedSubscriptions: 64,
} as const;
