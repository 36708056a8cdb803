import { keyName } from './key-name.js';
import type { StateReader, StateWrite } from './state.js';

type Values = Map<string, Uint8Array | undefined>;

/**
 * Caches point reads of the newest committed state, absent values included. The owner passes the writes of every
 * committed block, which keeps the cache current. A value stays the same object until it is written, so decoders can
 * cache by object.
 */
export class CachedState implements Pick<StateReader, 'get'> {
  readonly #parent: Pick<StateReader, 'get'>;
  readonly #maximum: number;
  readonly #stores = new Map<string, Values>();
  #size = 0;
  /**
   * Writes of the newest blocks, newest last; the parent may not have them yet. Blocks with very many writes are left
   * out.
   */
  #newest: (readonly StateWrite[])[] = [];
  readonly #ahead: number;

  /**
   * `maximum`: number of cached values; beyond it the cache is emptied, except for the newest blocks' writes if they
   * are at most half of it. `ahead`: number of blocks that the parent may lag behind.
   */
  constructor(parent: Pick<StateReader, 'get'>, maximum: number, ahead = 1) {
    this.#parent = parent;
    this.#maximum = maximum;
    this.#ahead = ahead;
  }

  get(store: string, key: Uint8Array): Uint8Array | undefined {
    const name = keyName(key);
    const known = this.#stores.get(store);
    const value = known?.get(name);
    if (value !== undefined || known?.has(name) === true) return value;
    const read = this.#parent.get(store, key);
    this.#remember(store, name, read);
    return read;
  }

  /** Applies the writes of one block. */
  committed(writes: readonly StateWrite[]): void {
    this.#newest.push(writes);
    if (this.#newest.length > this.#ahead) this.#newest.shift();
    let kept = 0;
    for (const block of this.#newest) kept += block.length;
    while (kept * 2 > this.#maximum) kept -= this.#newest.shift()?.length ?? kept;
    this.#apply(writes);
  }

  /** Empties the cache after the state changed by other means than block writes. */
  forget(): void {
    this.#newest = [];
    this.#clear();
  }

  #clear(): void {
    this.#stores.clear();
    this.#size = 0;
  }

  #apply(writes: readonly StateWrite[]): void {
    for (const { store, key, value } of writes) this.#set(store, keyName(key), value && ownBytes(value));
  }

  #remember(store: string, name: string, value: Uint8Array | undefined): void {
    if (this.#size >= this.#maximum) {
      this.#clear();
      for (const writes of this.#newest) this.#apply(writes);
    }
    this.#set(store, name, value);
  }

  #set(store: string, name: string, value: Uint8Array | undefined): void {
    let values = this.#stores.get(store);
    if (values === undefined) this.#stores.set(store, (values = new Map()));
    const before = values.size;
    values.set(name, value);
    this.#size += values.size - before;
  }
}

/**
 * Copies a block hash, which is a view of the message that brought the block's transactions and would keep all of
 * them alive. `buffer` is not inspected, because that moves a small array's bytes out of the heap.
 */
function ownBytes(value: Uint8Array): Uint8Array {
  return value.byteOffset === 0 ? value : value.slice();
}
