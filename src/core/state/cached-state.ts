import { keyName } from './key-name.js';
import type { StateReader, StateWrite } from './state.js';

type Values = Map<string, Uint8Array | undefined>;

/**
 * Point reads of the newest committed state through a bounded cache of values, absent ones included. The owner passes
 * the writes of every committed block, so that the cache stays right. A value stays the same object until it is
 * written, so that decoders can cache by it.
 */
export class CachedState implements Pick<StateReader, 'get'> {
  readonly #parent: Pick<StateReader, 'get'>;
  readonly #maximum: number;
  readonly #stores = new Map<string, Values>();
  #size = 0;
  /** Writes of the newest blocks, the newest last, unless they are many: the parent may not have them yet. */
  #newest: (readonly StateWrite[])[] = [];
  readonly #ahead: number;

  /**
   * `maximum`: number of cached values; beyond it the cache is emptied, but for what the newest blocks wrote if that is
   * at most half. `ahead`: how many blocks the parent may be behind.
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

  /** Empties the cache, because the state changed otherwise than by the writes of a block. */
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
 * The hash of a block is a view of the message that brought its transactions: kept as it is, it would keep all of them.
 * `buffer` is not looked at, because that moves the bytes of a small array out of the heap.
 */
function ownBytes(value: Uint8Array): Uint8Array {
  return value.byteOffset === 0 ? value : value.slice();
}
