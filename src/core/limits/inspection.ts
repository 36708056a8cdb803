import { VERIFICATION_LIMITS } from './verification.js';

/** Limits of the `chronicle_*` methods and of state differences; part of `FIXED_LIMITS`. */
export const INSPECTION_LIMITS = {
  ...VERIFICATION_LIMITS,
  /** Fields of one row that a difference of states describes; the others are counted. */
  describedFields: 1_000,
  /** Fields in the line of a changed row; the others are counted. */
  fieldsInLine: 8,
  /** Characters of one field that a difference shows. */
  fieldCharacters: 4_096,
  /** Block range up to which a difference is computed from the blocks' writes; above it every row is compared. */
  diffBlocks: 100_000,
  /** Rows written in that range; above it every row is compared. */
  diffKeys: 100_000,
  /** Undo pages or state rows processed between two turns of the event loop. */
  diffStep: 256,
  /** State rows compared per answer; a cursor continues. */
  diffRows: 50_000,
  /** Changes in one answer. */
  diffChanges: 1_000,
  /** Default number of changes in one answer. */
  diffChangesDefault: 100,
  /** Characters of the changes in one answer; the last one may exceed it. */
  diffCharacters: 4 * 1024 * 1024,
  /** Events of the log in one answer. */
  logEvents: 1_000,
  /** Default number of events in one answer. */
  logEventsDefault: 100,
  /** Events compared with a filter per answer; a cursor continues. */
  logEventsRead: 10_000,
  /** Events read per step, from the newest on. */
  logEventsStep: 128,
  /** Characters of the events in one answer; the last one may exceed it. */
  logCharacters: 4 * 1024 * 1024,
  /** Characters of the data of one event in JSON; longer data is left out. */
  logEventCharacters: 2 * 1024 * 1024,
  /** Timeout of an upgrade rehearsal, milliseconds. */
  rehearsalMs: 300_000,
  /** Bytes that the rehearsal of an upgrade may print. */
  rehearsalBytes: 16 * 1024 * 1024,
  /** Addresses per answer whose contract name is looked up. */
  namedContracts: 200,
  /** `log export` lines decoded per request. */
  recordLines: 200,
  /** Events before a transaction's block that are searched for its admission. */
  admissionsBefore: 4_096,
  /** Longest wait for a future log event, milliseconds. */
  logWaitMs: 30_000,
  /** Requests waiting for future log events. */
  logWaiting: 256,
  /** Blocks searched by one query test. */
  matchedBlocks: 1_000,
  /** Default number of blocks of a query test. */
  matchedBlocksDefault: 100,
  /** Events in the answer of a query test; the others are counted. */
  queryMatches: 1_000,
  /** Values shown per key of such an event. */
  matchedValues: 16,
  /** Subscriptions, and filters, in one answer. */
  listedSubscriptions: 1_000,
  /** Characters of their criteria in one answer; the last one may exceed it, the rest are counted. */
  listedCharacters: 1024 * 1024,
  /** Ended subscriptions remembered with their reason. */
  endedSubscriptions: 64,
} as const;
