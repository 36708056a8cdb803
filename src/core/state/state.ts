/** The application's state as modules see it: named stores of ordered keys and values in the Cosmos SDK's encodings. */
import { keyAfter } from '../bytes/key-order.js';

export interface StateEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export interface StateRange {
  /** First key included; the store's first key when absent. */
  readonly start?: Uint8Array;
  /** First key excluded; after the store's last key when absent. */
  readonly end?: Uint8Array;
  readonly reverse?: boolean;
  /** Rows that will be needed, as far as that is known: they are read at once. */
  readonly rows?: number;
}

/**
 * Synchronous read access to one version of the state. Readers over a database that cannot iterate synchronously
 * throw `RangeMiss` from `range`; `readWithRetries` fetches the range and runs the pure reader again.
 */
export interface StateReader {
  get(store: string, key: Uint8Array): Uint8Array | undefined;
  range(store: string, range: StateRange): Iterable<StateEntry>;
  /**
   * Passes entries from the beginning of a range until it has passed `maximum` that `counts` accepts, and keeps none of
   * them. Absent, and undefined, where `range` costs no more.
   */
  pass?(store: string, range: StateRange, counts: (entry: StateEntry) => boolean, maximum: bigint): Passed | undefined;
}

/** Entries that were passed. */
export interface Passed {
  /** How many of them count. */
  readonly count: bigint;
  /** The range after them; undefined when nothing follows. */
  readonly rest: StateRange | undefined;
}

/** The part of a range after the entry of `key`, in its direction. */
export function rangeAfter(range: StateRange, key: Uint8Array): StateRange {
  return range.reverse === true ? { ...range, end: key } : { ...range, start: keyAfter(key) };
}

export interface RowName {
  readonly store: string;
  readonly key: Uint8Array;
}

/** One change of the state; an undefined value deletes. */
export interface StateWrite extends RowName {
  readonly value: Uint8Array | undefined;
}

/** A row that differs between two moments; an undefined value is an absent row. */
export interface ChangedRow {
  readonly store: string;
  readonly key: Uint8Array;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** Read and write access of a message handler, over a cache that its caller commits or drops. */
export interface StateStore extends StateReader {
  set(store: string, key: Uint8Array, value: Uint8Array): void;
  delete(store: string, key: Uint8Array): void;
}
