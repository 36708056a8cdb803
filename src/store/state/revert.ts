import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { checkKept, lowestHeight } from './latest.js';
import { undoKey } from './tables.js';
import { undoCount, undoEntries } from './undo.js';
import { decodeVersion } from './version-row.js';

/**
 * Sets the state back to a height, from the undo pages above it: take the rows of every height from the head down to
 * the first above `to`, in one batch. A row that several blocks wrote is there once for each, the oldest content last.
 * Throws HeightPruned when a needed page is gone.
 */
export class StateRevert {
  readonly #store: Pick<KeyValueStore, 'get'>;
  readonly #floor: Height;

  constructor(store: Pick<KeyValueStore, 'get'>, to: Height) {
    checkKept(store, to);
    this.#store = store;
    this.#floor = lowestHeight(store);
  }

  /** Number of rows of a height. */
  count(height: Height): number {
    const page = this.#store.get(undoKey(height));
    return page === undefined ? 0 : undoCount(page) + 1;
  }

  /** The rows of a height; a block without writes has none. */
  *rows(height: Height): Generator<StoreOperation> {
    const pageKey = undoKey(height);
    const page = this.#store.get(pageKey);
    if (page === undefined) return;
    for (const { key, row } of undoEntries(page))
      yield row === undefined || this.#isPruned(row) ? { type: 'delete', key } : { type: 'put', key, value: row };
    yield { type: 'delete', key: pageKey };
  }

  /** True for a tombstone that pruning would have dropped if it had not been overwritten. */
  #isPruned(row: Uint8Array): boolean {
    const { height, value } = decodeVersion(row);
    return value === undefined && height <= this.#floor;
  }
}

/** Heights above `to` up to `head`, the highest first. */
export function* abandonedHeights(head: Height, to: Height): Iterable<Height> {
  for (let height = head; height > to; height = toHeight(height - 1n)) yield height;
}
