import type { KeyValue, KeyValueStore, RangeOptions, StoreOperation } from '../core/ports/key-value-store.js';
import { compare } from '../core/bytes/bytes.js';
import { hex } from '../core/bytes/hex.js';

/**
 * Sorted rows in memory, for tests and simulations. Rows are copied in and out, so that callers never share bytes with
 * the store.
 */
export class MemoryStore implements KeyValueStore {
  readonly #rows = new Map<string, KeyValue>();
  #sorted: readonly KeyValue[] | undefined;
  #closed = false;

  get(key: Uint8Array): Uint8Array | undefined {
    this.#checkOpen();
    return this.#rows.get(hex(key))?.value.slice();
  }

  async range({ start, end, reverse = false, limit }: RangeOptions): Promise<readonly KeyValue[]> {
    this.#checkOpen();
    this.#sorted ??= [...this.#rows.values()].sort((left, right) => compare(left.key, right.key));
    const from = lowerBound(this.#sorted, start);
    const to = Math.max(from, lowerBound(this.#sorted, end));
    const rows = reverse
      ? this.#sorted.slice(Math.max(from, to - limit), to).reverse()
      : this.#sorted.slice(from, Math.min(to, from + limit));
    return rows.map(({ key, value }) => ({ key: key.slice(), value: value.slice() }));
  }

  async commit(operations: readonly StoreOperation[]): Promise<void> {
    this.#checkOpen();
    for (const operation of operations) {
      const id = hex(operation.key);
      if (operation.type === 'delete') this.#rows.delete(id);
      else this.#rows.set(id, { key: operation.key.slice(), value: operation.value.slice() });
    }
    this.#sorted = undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
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
