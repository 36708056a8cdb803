import { lowerBound } from '../bytes/key-order.js';
import { compare } from '../bytes/bytes.js';
import { keyName, rememberName } from './key-name.js';
import type { Passed, StateEntry, StateRange, StateReader, StateStore, StateWrite } from './state.js';

/**
 * Writes over a reader, which the owner commits or discards: the SDK's cache store of a transaction, message or
 * block. Reads see the writes. Every write is kept, even of an unchanged value, because rewriting a leaf changes its
 * version and hash. Keys and values are kept by reference and must not change. A range is a snapshot: later writes do
 * not affect a running iteration.
 */
export class CacheStore implements StateStore {
  readonly parent: StateReader;
  /** The parent when it is a CacheStore too. */
  readonly below: CacheStore | undefined;
  readonly #stores = new Map<string, Overlay>();
  /** Store of the last access: consecutive accesses mostly use the same store. */
  #last = '';
  #lastOverlay: Overlay | undefined;

  constructor(parent: StateReader) {
    this.parent = parent;
    this.below = parent instanceof CacheStore ? parent : undefined;
  }

  get(store: string, key: Uint8Array): Uint8Array | undefined {
    return readThrough(this, store, key);
  }

  /** Newest write of a key in this cache; parents are not searched. */
  written(store: string, name: string): StateWrite | undefined {
    return this.#stores.size === 0 ? undefined : this.#known(store)?.find(name);
  }

  set(store: string, key: Uint8Array, value: Uint8Array): void {
    this.#overlay(store).put(store, key, value);
  }

  delete(store: string, key: Uint8Array): void {
    this.#overlay(store).put(store, key, undefined);
  }

  range(store: string, range: StateRange): Iterable<StateEntry> {
    const overlay = this.#known(store);
    const above = overlay?.slice(range) ?? NO_WRITES;
    const below = this.parent.range(store, range);
    return above.length === 0 ? below : merged(below, above, range);
  }

  pass(...[store, range, ...rest]: Parameters<NonNullable<StateReader['pass']>>): Passed | undefined {
    const isPlain = (this.#known(store)?.slice(range) ?? NO_WRITES).length === 0;
    return isPlain ? this.parent.pass?.(store, range, ...rest) : undefined;
  }

  /** Creates a cache over this one. */
  branch(): CacheStore {
    return new CacheStore(this);
  }

  /** Last write of each key, ordered by store name and key bytes, like the SDK's flush. */
  writes(): readonly StateWrite[] {
    return [...this.#stores.keys()].sort().flatMap((store) => this.#stores.get(store)?.slice({}) ?? []);
  }

  /** Written keys of one store, in the order of their first write. */
  *writtenKeys(store: string): Iterable<Uint8Array> {
    for (const [, { key }] of this.#stores.get(store)?.all() ?? []) yield key;
  }

  /**
   * Applies the writes to `target` (normally the parent), once per key and in no particular order, then discards
   * them.
   */
  commitTo(target: StateStore): void {
    if (target instanceof CacheStore) target.#take(this.#stores);
    else this.#writeTo(target);
    this.discard();
  }

  /** Takes the writes of another cache; reuses its overlay for stores without writes here. */
  #take(stores: ReadonlyMap<string, Overlay>): void {
    for (const [store, overlay] of stores) {
      const own = this.#stores.get(store);
      if (own === undefined) this.#stores.set(store, overlay);
      else own.take(overlay);
    }
    this.#lastOverlay = undefined;
  }

  #writeTo(target: StateStore): void {
    for (const overlay of this.#stores.values()) {
      for (const [name, { store, key, value }] of overlay.all()) {
        rememberName(key, name);
        if (value === undefined) target.delete(store, key);
        else target.set(store, key, value);
      }
    }
  }

  /** Discards all writes. */
  discard(): void {
    this.#stores.clear();
    this.#lastOverlay = undefined;
  }

  #known(store: string): Overlay | undefined {
    if (store !== this.#last || this.#lastOverlay === undefined) {
      this.#last = store;
      this.#lastOverlay = this.#stores.get(store);
    }
    return this.#lastOverlay;
  }

  #overlay(store: string): Overlay {
    let overlay = this.#known(store);
    if (overlay === undefined) {
      overlay = new Overlay();
      this.#stores.set(store, overlay);
      this.#lastOverlay = overlay;
    }
    return overlay;
  }
}

/** Searches the stacked caches in one loop, because most of them do not have the key. */
function readThrough(from: CacheStore, store: string, key: Uint8Array): Uint8Array | undefined {
  const name = keyName(key);
  for (let cache = from; ; cache = cache.below) {
    const written = cache.written(store, name);
    if (written !== undefined) return written.value;
    if (cache.below === undefined) return cache.parent.get(store, key);
  }
}

const NO_WRITES: readonly StateWrite[] = [];

/** Writes to one store. Keys are sorted on the first ordered read: most stores are only read by key. */
class Overlay {
  /** Writes by key name, in the order of the first write. */
  readonly #writes = new Map<string, StateWrite>();
  /** Bit set of the keys' first bytes, by their lowest five bits. */
  #firstBytes = 0;
  /** Names of the first written keys in ascending order; later keys are not sorted yet. */
  #sorted: string[] = [];
  #unsorted: Iterator<string, undefined> | undefined;

  find(name: string): StateWrite | undefined {
    return this.#writes.get(name);
  }

  /** Stores a write under the array of the first write: later arrays with the same bytes become garbage. */
  put(store: string, key: Uint8Array, value: Uint8Array | undefined): void {
    const name = keyName(key);
    const before = this.#writes.get(name);
    if (before === undefined) this.#firstBytes |= 1 << (key[0] ?? 0);
    this.#writes.set(name, { store, key: before === undefined ? key : before.key, value });
  }

  /** Merges the writes of another overlay over these. */
  take(other: Overlay): void {
    this.#firstBytes |= other.#firstBytes;
    for (const [name, write] of other.#writes) {
      const before = this.#writes.get(name);
      const { store, value } = write;
      this.#writes.set(name, before === undefined ? write : { store, key: before.key, value });
    }
  }

  all(): Iterable<readonly [string, StateWrite]> {
    return this.#writes;
  }

  /** Writes within the bounds, in the direction of the range. */
  slice({ start, end, reverse }: StateRange): readonly StateWrite[] {
    if (start !== undefined && end !== undefined && !this.#mayHold(start, end)) return NO_WRITES;
    this.#sortIn();
    const from = start === undefined ? 0 : lowerBound(this.#sorted, keyName(start));
    const to = end === undefined ? this.#sorted.length : lowerBound(this.#sorted, keyName(end));
    const found = this.#sorted.slice(from, to).flatMap((key) => this.#writes.get(key) ?? []);
    return reverse === true ? found.reverse() : found;
  }

  /** False when all keys within the bounds start with one byte and no written key does. */
  #mayHold(start: Uint8Array, end: Uint8Array): boolean {
    const [first = 0] = start;
    return first !== end[0] || (this.#firstBytes & (1 << first)) !== 0;
  }

  #sortIn(): void {
    const count = this.#writes.size;
    const unsorted = (this.#unsorted ??= this.#writes.keys());
    const isMost = (count - this.#sorted.length) * 8 > count;
    // The iterator is past the last sorted key; it continues with keys written since.
    while (this.#sorted.length < count) {
      const { value: name } = unsorted.next();
      if (name === undefined) break;
      if (isMost) this.#sorted.push(name);
      else this.#sorted.splice(lowerBound(this.#sorted, name), 0, name);
    }
    if (isMost) this.#sorted.sort();
  }
}

/**
 * Merges ordered parent entries with ordered writes: a write replaces the entry of its key, a deletion removes it.
 */
function* merged(
  below: Iterable<StateEntry>,
  above: readonly StateWrite[],
  { reverse }: StateRange,
): Iterable<StateEntry> {
  const direction = reverse === true ? -1 : 1;
  let next = 0;
  for (const entry of below) {
    let hidden = false;
    for (let write = above[next]; write !== undefined; write = above[next]) {
      const order = compare(write.key, entry.key) * direction;
      if (order > 0) break;
      next += 1;
      if (write.value !== undefined) yield { key: write.key, value: write.value };
      hidden = order === 0;
    }
    if (!hidden) yield entry;
  }
  for (const write of above.slice(next)) {
    if (write.value !== undefined) yield { key: write.key, value: write.value };
  }
}

/** State without entries: parent of the genesis state. */
export const EMPTY_STATE: StateReader = { get: () => undefined, range: () => [] };
