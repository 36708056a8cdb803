import type { KeyValue, KeyValueStore, RangeOptions, StoreOperation } from '../../src/core/ports/key-value-store.js';
import { compare } from '../../src/core/bytes/bytes.js';

/**
 * Sorted rows in memory, for tests and simulations. Rows are copied in and out, so that callers never share bytes with
 * the store.
 */
export class MemoryStore implements KeyValueStore {
  /** In the order of their keys. */
  readonly #rows: KeyValue[] = [];
  #closed = false;

  get(key: Uint8Array): Uint8Array | undefined {
    this.#checkOpen();
    const row = this.#rows[lowerBound(this.#rows, key)];
    return row !== undefined && compare(row.key, key) === 0 ? row.value.slice() : undefined;
  }

  async range({ start, end, reverse = false, limit }: RangeOptions): Promise<readonly KeyValue[]> {
    this.#checkOpen();
    const from = lowerBound(this.#rows, start);
    const to = Math.max(from, lowerBound(this.#rows, end));
    const rows = reverse
      ? this.#rows.slice(Math.max(from, to - limit), to).reverse()
      : this.#rows.slice(from, Math.min(to, from + limit));
    return rows.map(({ key, value }) => ({ key: key.slice(), value: value.slice() }));
  }

  async commit(
    operations: readonly StoreOperation[],
    { before = [] }: Partial<Parameters<KeyValueStore['commit']>[1]> = {},
  ): Promise<void> {
    this.#checkOpen();
    for (const operation of before) this.#apply(operation);
    for (const operation of operations) this.#apply(operation);
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #apply(operation: StoreOperation): void {
    const at = lowerBound(this.#rows, operation.key);
    const row = this.#rows[at];
    const replaced = row !== undefined && compare(row.key, operation.key) === 0 ? 1 : 0;
    if (operation.type === 'delete') this.#rows.splice(at, replaced);
    else this.#rows.splice(at, replaced, { key: operation.key.slice(), value: operation.value.slice() });
  }

  #checkOpen(): void {
    if (this.#closed) throw new Error('store is closed');
  }
}

/** Index of the first row whose key is equal to or after `key`. */
function lowerBound(rows: readonly KeyValue[], key: Uint8Array): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row !== undefined && compare(row.key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
