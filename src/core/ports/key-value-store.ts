/**
 * The ordered byte store under the log (LevelDB in `src/store`, in memory in tests, simulated with faults). Point reads
 * are synchronous, ranges and commits are not: LevelDB has no synchronous iterator, and an fsync must not block the
 * event loop.
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
  /** Largest number of rows. Every caller states a bound (`src/core/limits`). */
  readonly limit: number;
  /** The range is for a client and is refused when too many wait; ranges of the node itself are always read. */
  readonly mayBeRefused?: true;
}

export interface CommitOptions {
  readonly sync: boolean;
  /**
   * Operations that are applied before the others. They are made while the batch is filled, with pauses: a batch of
   * very many rows is never in memory as objects. Nothing that they are made of may change meanwhile.
   */
  readonly before?: Iterable<StoreOperation>;
}

export interface KeyValueStore {
  /** Reads one row of what has been committed; undefined when absent. */
  get(key: Uint8Array): Uint8Array | undefined;
  /** Reads rows in key order as of the call. */
  range(options: RangeOptions): Promise<readonly KeyValue[]>;
  /**
   * Applies all operations or none. With `sync`, resolves when they are durable. After one rejection the handle is
   * poisoned: every later call rejects, and the outcome of the rejected batch is unknown until the store is opened
   * again (`src/store/leveldb/checked-store.ts`).
   */
  commit(operations: readonly StoreOperation[], options: CommitOptions): Promise<void>;
  /** Gives back the room of deleted rows between two keys, for which it writes the others anew; no store must do it. */
  compact?(start: Uint8Array, end: Uint8Array): Promise<void>;
  /** Bytes that the rows between two keys take on the disk, about; rows that were written last may not count. */
  sizeOf?(start: Uint8Array, end: Uint8Array): Promise<number>;
  close(): Promise<void>;
}
