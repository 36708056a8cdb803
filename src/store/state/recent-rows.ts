import { toOrderedString } from '../../core/bytes/key-order.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { isLatestKey } from './tables.js';

/**
 * Rows of `latest` that the last blocks wrote, and keys that had none: the next block's undo page asks for most of
 * them, and LevelDB needs 10 us for each. The owner passes the rows of every block, and forgets them when the table
 * changed otherwise. Long rows are not kept.
 */
export class RecentRows implements Pick<KeyValueStore, 'get'> {
  readonly #store: Pick<KeyValueStore, 'get'>;
  /** By key; undefined where there is no row. */
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

  /** Records the rows of the newest state that one block wrote, and ignores rows of other tables. */
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
