import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { undoKey } from './tables.js';

/** Cache of undo pages for one reader: keys that change together are in the same pages. */
export class UndoPages {
  readonly #store: Pick<KeyValueStore, 'get'>;
  readonly #pages = new Map<Height, Uint8Array>();
  #bytes = 0;

  constructor(store: Pick<KeyValueStore, 'get'>) {
    this.#store = store;
  }

  /** The undo page of a height; undefined when the block wrote nothing or the page is pruned. */
  at(height: Height): Uint8Array | undefined {
    const known = this.#pages.get(height);
    if (known !== undefined) return known;
    const page = this.#store.get(undoKey(height));
    if (page === undefined || page.length > FIXED_LIMITS.cachedUndoBytes) return page;
    if (this.#bytes + page.length > FIXED_LIMITS.cachedUndoBytes) this.#forget();
    this.#pages.set(height, page);
    this.#bytes += page.length;
    return page;
  }

  #forget(): void {
    this.#pages.clear();
    this.#bytes = 0;
  }
}
