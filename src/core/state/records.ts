import { FIXED_LIMITS } from '../limits/limits.js';
import { keyName } from './key-name.js';
import type { StateStore } from './state.js';

/** A context with the store of the records. */
export interface StoreView {
  readonly store: StateStore;
}

/** The form of one kind of records in the state. Decoding what `encode` makes must give an equal value. */
export interface RecordCodec<Value, View extends StoreView> {
  readonly encode: (value: Value, view: View) => Uint8Array;
  readonly decode: (bytes: Uint8Array, view: View, key: Uint8Array) => Value;
}

/** A value and the array that contains its encoding. */
interface Encoded<Value> {
  readonly bytes: Uint8Array;
  readonly value: Value;
}

interface Newest<Value> {
  /** Decoded last: what is read is in the state, and stays there when a call or a check of a transaction ends. */
  read: Encoded<Value> | undefined;
  /** Encoded last. */
  written: Encoded<Value> | undefined;
}

/**
 * Records of one kind in a store. A record is not decoded again as long as the state has the same array for its key:
 * one that each transaction reads and writes is decoded only after a start. Callers must not change the values. A map
 * of arrays would be slower by far: the engine gives each new array of such a map an identity.
 */
export class Records<Value extends object, View extends StoreView = StoreView> {
  readonly #newest = new Map<string, Newest<Value>>();

  constructor(
    readonly store: string,
    readonly codec: RecordCodec<Value, View>,
  ) {}

  /** Reads the record of a key; undefined where there is none. */
  get(view: View, key: Uint8Array): Value | undefined {
    const bytes = view.store.get(this.store, key);
    return bytes === undefined ? undefined : this.decode(view, key, bytes);
  }

  /** Decodes a record that was read already. */
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
