import { toOrderedString } from '../../core/bytes/key-order.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { isLatestKey } from './tables.js';

/**
 * Cache of rows of `latest` written by recent blocks, and of keys without a row: the next block's undo page needs most
 * of them, and a LevelDB read takes 10 us. The owner must report the rows of every block, and clear the cache when the
 * table changes in another way. Long rows are not cached.
 */
export class RecentRows implements Pick<KeyValueStore, 'get'> {
  readonly #store: Pick<KeyValueStore, 'get'>;
  /** By key; undefined means that the row is known to be absent. */
  readonly #rows = new Map<string, Uint8Array | undefined>();

  constructor(store: Pick<KeyValueStore, 'get'>) {
    this.#store = store;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const name = toOrderedString(key);
    const known = this.#rows.get(name);
    if (known !== undefined || this.#rows.has(name)) return known;
    const row = this.#store.get(key);
    if (row === undefined && this.#rows.size < FIXED_LIMITS.recentRows) this.#rows.set(name, row);
    return row;
  }

  /** Caches the rows of `latest` that one block wrote; ignores rows of other tables. */
  written(rows: readonly StoreOperation[]): void {
    for (const row of rows) {
      if (!isLatestKey(row.key)) continue;
      const name = toOrderedString(row.key);
      if (row.type === 'delete' || row.value.length > FIXED_LIMITS.recentRowBytes) {
        this.#rows.delete(name);
        continue;
      }
      if (this.#rows.size >= FIXED_LIMITS.recentRows) this.#rows.clear();
      this.#rows.set(name, row.value);
    }
  }

  forget(): void {
    this.#rows.clear();
  }
}
