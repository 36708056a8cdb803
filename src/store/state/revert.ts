import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { toOrderedString } from '../../core/bytes/key-order.js';
import { checkKept, lowestHeight } from './latest.js';
import { undoKey } from './tables.js';
import { undoEntries, type PreImage } from './undo.js';
import { decodeVersion } from './version-row.js';

/**
 * Collects the rows that set the state back to a height, from the undo pages above it: take the pages of every height
 * from the head down to the first above `to`, then read the rows. Throws HeightPruned when a needed page is gone.
 */
export class StateRevert {
  readonly #store: Pick<KeyValueStore, 'get'>;
  readonly #floor: Height;
  readonly #pages: Uint8Array[] = [];
  /** The content of each row before the lowest block that was taken, by key. */
  readonly #images = new Map<string, PreImage>();

  constructor(store: Pick<KeyValueStore, 'get'>, to: Height) {
    checkKept(store, to);
    this.#store = store;
    this.#floor = lowestHeight(store);
  }

  /** Takes the page of a height. Heights are descending, without gaps; a block without writes has no page. */
  take(height: Height): void {
    const key = undoKey(height);
    const page = this.#store.get(key);
    if (page === undefined) return;
    this.#pages.push(key);
    for (const image of undoEntries(page)) this.#images.set(toOrderedString(image.key), image);
  }

  /** Number of rows so far. */
  get size(): number {
    return this.#pages.length + this.#images.size;
  }

  *rows(): Generator<StoreOperation> {
    for (const { key, row } of this.#images.values())
      yield row === undefined || this.#isPruned(row) ? { type: 'delete', key } : { type: 'put', key, value: row };
    for (const key of this.#pages) yield { type: 'delete', key };
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
