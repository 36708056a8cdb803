/**
 * Ordered byte store under the log (LevelDB in `src/store`, in memory in tests, or simulated with faults). Point
 * reads are synchronous; ranges and commits are not, because LevelDB has no synchronous iterator and an fsync must
 * not block the event loop.
 */
export interface KeyValue {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export type StoreOperation =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'delete'; readonly key: Uint8Array };

export interface RangeOptions {
  /** Start key, inclusive. */
  readonly start: Uint8Array;
  /** End key, exclusive. */
  readonly end: Uint8Array;
  readonly reverse?: boolean;
  /** Maximum number of rows. All callers state a bound (`src/core/limits`). */
  readonly limit: number;
  /** Set for client requests, which are refused when too many wait; the node's own ranges are always read. */
  readonly mayBeRefused?: true;
}

export interface CommitOptions {
  readonly sync: boolean;
  /**
   * Operations that are applied before the others. They are generated while the batch is filled, with pauses, so that
   * a batch with very many rows is never in memory as objects. Their source must not change meanwhile.
   */
  readonly before?: Iterable<StoreOperation>;
}

export interface KeyValueStore {
  /** Reads one committed row; undefined when absent. */
  get(key: Uint8Array): Uint8Array | undefined;
  /** Reads rows in key order as of the time of the call. */
  range(options: RangeOptions): Promise<readonly KeyValue[]>;
  /**
   * Applies all operations or none. With `sync`, resolves when they are durable. After one rejection the handle is
   * poisoned: all later calls reject, and the outcome of the rejected batch is unknown until the store is reopened
   * (`src/store/leveldb/checked-store.ts`).
   */
  commit(operations: readonly StoreOperation[], options: CommitOptions): Promise<void>;
  /** Reclaims the space of deleted rows between two keys by rewriting the others; optional. */
  compact?(start: Uint8Array, end: Uint8Array): Promise<void>;
  /** Approximate disk space of the rows between two keys in bytes; the newest rows may not count. */
  sizeOf?(start: Uint8Array, end: Uint8Array): Promise<number>;
  close(): Promise<void>;
}
