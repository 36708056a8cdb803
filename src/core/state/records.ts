import { FIXED_LIMITS } from '../limits/limits.js';
import { keyName } from './key-name.js';
import type { StateStore } from './state.js';

/** A context that gives access to the state. */
export interface StoreView {
  readonly store: StateStore;
}

/** Codec of one kind of records. Decoding the result of `encode` must give an equal value. */
export interface RecordCodec<Value, View extends StoreView> {
  readonly encode: (value: Value, view: View) => Uint8Array;
  readonly decode: (bytes: Uint8Array, view: View, key: Uint8Array) => Value;
}

/** A value with the array of its encoding. */
interface Encoded<Value> {
  readonly bytes: Uint8Array;
  readonly value: Value;
}

interface Newest<Value> {
  /**
   * Last decoded pair. Reads come from committed state, so this pair stays valid after a call or transaction check
   * ends.
   */
  read: Encoded<Value> | undefined;
  /** Last encoded pair. */
  written: Encoded<Value> | undefined;
}

/**
 * Records of one kind in a store. A record is decoded again only when the state has another array for its key, so
 * records that every transaction reads and writes are decoded once. Callers must not change the values. A map keyed
 * by arrays would be much slower: V8 assigns each new array an identity hash.
 */
export class Records<Value extends object, View extends StoreView = StoreView> {
  readonly #newest = new Map<string, Newest<Value>>();

  constructor(
    readonly store: string,
    readonly codec: RecordCodec<Value, View>,
  ) {}

  /** Reads the record of a key; undefined when there is none. */
  get(view: View, key: Uint8Array): Value | undefined {
    const bytes = view.store.get(this.store, key);
    return bytes === undefined ? undefined : this.decode(view, key, bytes);
  }

  /** Decodes a record from bytes that were already read. */
  decode(view: View, key: Uint8Array, bytes: Uint8Array): Value {
    const known = this.#newest.get(keyName(key));
    if (known?.written?.bytes === bytes) return known.written.value;
    if (known?.read?.bytes === bytes) return known.read.value;
    const value = this.codec.decode(bytes, view, key);
    this.#of(key).read = { bytes, value };
    return value;
  }

  /** Writes the record of a key. */
  set(view: View, key: Uint8Array, value: Value): void {
    const bytes = this.codec.encode(value, view);
    this.#of(key).written = { bytes, value };
    view.store.set(this.store, key, bytes);
  }

  #of(key: Uint8Array): Newest<Value> {
    const name = keyName(key);
    let newest = this.#newest.get(name);
    if (newest !== undefined) return newest;
    if (this.#newest.size >= FIXED_LIMITS.decodedRecords) this.#newest.clear();
    this.#newest.set(name, (newest = { read: undefined, written: undefined }));
    return newest;
  }
}
