import { be64 } from '../../core/bytes/big-endian.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { lowestHeight } from './latest.js';
import { FLOOR_KEY, undoKey } from './tables.js';
import { undoEntries, type PreImage } from './undo.js';
import { decodeVersion } from './version-row.js';

/**
 * Deletes state history below a height in slices, each its own batch. The batch that deletes what only lower heights
 * need also raises the lowest readable height, so that a crash leaves all heights from the lowest readable one on
 * intact. Slices must not be written concurrently with a block.
 */
export class StatePruning {
  readonly #store: Pick<KeyValueStore, 'get'>;
  readonly #first: Height;
  /** The undo page being deleted; its height is already the lowest readable one. */
  #page: { readonly height: Height; readonly entries: Iterator<PreImage> } | undefined;

  /** `first`: height of the first state ever written. */
  constructor(store: Pick<KeyValueStore, 'get'>, first: Height) {
    this.#store = store;
    this.#first = first;
    this.#open(lowestHeight(store));
  }

  /**
   * Operations of the next slice towards the lowest readable height `floor`, reading about `rows` rows; may be empty.
   * Undefined when nothing is left to delete.
   */
  next(floor: Height, rows: number): readonly StoreOperation[] | undefined {
    if (floor === 0n || floor < this.#first) return undefined;
    const before = lowestHeight(this.#store);
    const deleted: StoreOperation[] = [];
    let lowest = before;
    let read = 0;
    while (read < rows) {
      if (this.#page === undefined) {
        if (lowest >= floor) {
          if (read === 0 && deleted.length === 0) return undefined;
          break;
        }
        lowest = lowest + 1n < this.#first ? this.#first : toHeight(lowest + 1n);
        this.#open(lowest);
        read += 1;
        continue;
      }
      const { height, entries } = this.#page;
      const entry = entries.next();
      if (entry.done === true) {
        deleted.push({ type: 'delete', key: undoKey(height) });
        this.#page = undefined;
        continue;
      }
      read += 1;
      const { key } = entry.value;
      if (this.#isTombstone(key, height)) deleted.push({ type: 'delete', key });
    }
    return lowest === before ? deleted : [{ type: 'put', key: FLOOR_KEY, value: be64(lowest) }, ...deleted];
  }

  /**
   * True for a deletion marker written at `height` and not overwritten since: the key is absent at every readable
   * height.
   */
  #isTombstone(key: Uint8Array, height: Height): boolean {
    const row = this.#store.get(key);
    if (row === undefined) return false;
    const version = decodeVersion(row);
    return version.height === height && version.value === undefined;
  }

  #open(height: Height): void {
    const page = this.#store.get(undoKey(height));
    if (page !== undefined) this.#page = { height, entries: undoEntries(page)[Symbol.iterator]() };
  }
}

/**
 * Prunes the state below `floor` in slices of about `rows` rows, in a database without other writers; resolves with the
 * number of slices. `first`: height of the first state ever written.
 */
export async function pruneState(
  store: Pick<KeyValueStore, 'get' | 'commit'>,
  { first, floor, rows }: { readonly first: Height; readonly floor: Height; readonly rows: number },
): Promise<number> {
  const pruning = new StatePruning(store, first);
  for (let slices = 0; ; slices += 1) {
    const operations = pruning.next(floor, rows);
    if (operations === undefined) return slices;
    if (operations.length > 0) await store.commit(operations, { sync: false });
  }
}
