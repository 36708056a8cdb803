import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { checkNotPruned, lowestHeight } from './latest.js';
import { undoKey } from './tables.js';
import { undoCount, undoEntries } from './undo.js';
import { decodeVersion } from './version-row.js';

/**
 * Reverts the state to a height with the undo pages above it. Apply the rows of every height from the head down to the
 * first above `to`, in one batch; a row written by several blocks occurs once for each, and the oldest (last) one wins.
 * Throws HeightPruned when a needed page is gone.
 */
export class StateRevert {
  readonly #store: Pick<KeyValueStore, 'get'>;
  readonly #floor: Height;

  constructor(store: Pick<KeyValueStore, 'get'>, to: Height) {
    checkNotPruned(store, to);
    this.#store = store;
    this.#floor = lowestHeight(store);
  }

  /** Number of operations of a height. */
  count(height: Height): number {
    const page = this.#store.get(undoKey(height));
    return page === undefined ? 0 : undoCount(page) + 1;
  }

  /** Operations that revert one height; none for a block without writes. */
  *rows(height: Height): Generator<StoreOperation> {
    const pageKey = undoKey(height);
    const page = this.#store.get(pageKey);
    if (page === undefined) return;
    for (const { key, row } of undoEntries(page))
      yield row === undefined || this.#isPruned(row) ? { type: 'delete', key } : { type: 'put', key, value: row };
    yield { type: 'delete', key: pageKey };
  }

  /** True for a tombstone that pruning would have deleted, had it not been overwritten. */
  #isPruned(row: Uint8Array): boolean {
    const { height, value } = decodeVersion(row);
    return value === undefined && height <= this.#floor;
  }
}

/** Heights above `to` up to `head`, the highest first. */
export function* abandonedHeights(head: Height, to: Height): Iterable<Height> {
  for (let height = head; height > to; height = toHeight(height - 1n)) yield height;
}
