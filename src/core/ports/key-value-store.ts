/**
 * The ordered byte store under the log (LevelDB in `src/store`, in memory in tests, simulated with faults).
 * Point reads are synchronous, ranges and commits are not (design sections 4 and 10).
 */
export interface KeyValue {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export type StoreOperation =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'delete'; readonly key: Uint8Array };

export interface RangeOptions {
  /** First key included. */
  readonly start: Uint8Array;
  /** First key excluded. */
  readonly end: Uint8Array;
  readonly reverse?: boolean;
  /** Rows at most. Every caller states a bound (limits table). */
  readonly limit: number;
}

export interface KeyValueStore {
  /** Reads one row of what has been committed; undefined when absent. */
  get(key: Uint8Array): Uint8Array | undefined;
  /** Reads rows in key order as of the call. */
  range(options: RangeOptions): Promise<readonly KeyValue[]>;
  /**
   * Applies all operations or none. With `sync`, resolves after they are durable.
   * After one rejection the handle is poisoned: every later call rejects, and whether the rejected batch happened is
   * unknown until the store is opened again (reliability-security.md 0, F3 and F4).
   */
  commit(operations: readonly StoreOperation[], options: { readonly sync: boolean }): Promise<void>;
  close(): Promise<void>;
}
