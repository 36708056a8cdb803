import { toOrderedString } from '../../core/bytes/key-order.js';
import { FIXED_LIMITS } from '../../core/limits.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { isLatestKey } from './tables.js';

/**
 * Rows of `latest` that the last blocks wrote: the next block's undo page holds most of them, and LevelDB needs 10 us
 * for each as soon as they lie in tables. The owner passes the rows of every block, and forgets them when the table
 * changed otherwise. Long rows are not kept.
 */
export class RecentRows implements Pick<KeyValueStore, 'get'> {
  readonly #store: Pick<KeyValueStore, 'get'>;
  readonly #rows = new Map<string, Uint8Array>();

  constructor(store: Pick<KeyValueStore, 'get'>) {
    this.#store = store;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#rows.get(toOrderedString(key)) ?? this.#store.get(key);
  }

  /** Takes the rows of one block; those of other tables are left out. */
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
