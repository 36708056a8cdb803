/** The application's state as modules see it: named stores of ordered keys and values in the Cosmos SDK's encodings. */
import { keyAfter } from '../bytes/key-order.js';

export interface StateEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export interface StateRange {
  /** First key, inclusive; absent: the store's first key. */
  readonly start?: Uint8Array;
  /** End key, exclusive; absent: the end of the store. */
  readonly end?: Uint8Array;
  readonly reverse?: boolean;
  /** Expected number of rows, if known: they are read in one batch. */
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
   * Skips entries from the beginning of a range, without keeping them, until `maximum` of them satisfy `counts`.
   * Absent, or undefined, when `range` is as cheap.
   */
  pass?(store: string, range: StateRange, counts: (entry: StateEntry) => boolean, maximum: bigint): Passed | undefined;
}

/** Result of skipping entries. */
export interface Passed {
  /** Number of skipped entries that satisfied `counts`. */
  readonly count: bigint;
  /** Remaining range; undefined when nothing follows. */
  readonly rest: StateRange | undefined;
}

/** Rest of a range after `key`, in the range's direction. */
export function rangeAfter(range: StateRange, key: Uint8Array): StateRange {
  return range.reverse === true ? { ...range, end: key } : { ...range, start: keyAfter(key) };
}

export interface RowName {
  readonly store: string;
  readonly key: Uint8Array;
}

/** One change of the state; value undefined means deletion. */
export interface StateWrite extends RowName {
  readonly value: Uint8Array | undefined;
}

/** A row that differs between two heights or log positions; value undefined means that the row is absent. */
export interface ChangedRow {
  readonly store: string;
  readonly key: Uint8Array;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** Read and write access for a message handler, over a cache that the caller commits or discards. */
export interface StateStore extends StateReader {
  set(store: string, key: Uint8Array, value: Uint8Array): void;
  delete(store: string, key: Uint8Array): void;
}
