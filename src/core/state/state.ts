/** The application's state as modules see it: named stores of ordered keys and values in the Cosmos SDK's encodings. */

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
}

/**
 * Synchronous read access to one version of the state. Readers over a database that cannot iterate synchronously
 * throw `RangeMiss` from `range`; `readWithRetries` fetches the range and runs the pure reader again.
 */
export interface StateReader {
  get(store: string, key: Uint8Array): Uint8Array | undefined;
  range(store: string, range: StateRange): Iterable<StateEntry>;
}

/** One change of the state; an undefined value deletes. */
export interface StateWrite {
  readonly store: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** Read and write access of a message handler, over a cache that its caller commits or drops. */
export interface StateStore extends StateReader {
  set(store: string, key: Uint8Array, value: Uint8Array): void;
  delete(store: string, key: Uint8Array): void;
}
