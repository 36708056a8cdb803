import { fromBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import '../text/message-text.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { keyName } from './key-name.js';

/**
 * A decoder that decodes each value of the state once: values are passed by reference and never changed, so the decoded
 * message is cached by the array. Callers must not change the message.
 */
export function decodeOnce<Desc extends DescMessage>(schema: Desc): (value: Uint8Array) => MessageShape<Desc> {
  const known = new WeakMap<Uint8Array, MessageShape<Desc>>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const decoded = fromBinary(schema, value);
    known.set(value, decoded);
    return decoded;
  };
}

/** Both directions of a value's form in the state. */
export interface StateCodec<Value> {
  readonly encode: (value: Value) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => Value;
}

/** A value and the array that holds it. */
interface Held<Value> {
  readonly bytes: Uint8Array;
  readonly value: Value;
}

interface Kept<Value> {
  /** Decoded last: what is read is in the state, and stays there when a call or a check of a transaction ends. */
  read: Held<Value> | undefined;
  /** Encoded last. */
  written: Held<Value> | undefined;
}

/**
 * The newest decoded values of each key of one kind, known by the arrays that hold them: a record that each transaction
 * reads and writes again is decoded only after a start. A map of arrays would be slower by far: the engine gives each
 * new array of such a map an identity, and clears the map of those that are gone.
 */
export class DecodedByKey<Value> {
  readonly #kept = new Map<string, Kept<Value>>();

  /** The value that `bytes` of `key` were made of, or that was made of them. */
  find(key: Uint8Array, bytes: Uint8Array): Value | undefined {
    const kept = this.#kept.get(keyName(key));
    if (kept?.written?.bytes === bytes) return kept.written.value;
    return kept?.read?.bytes === bytes ? kept.read.value : undefined;
  }

  /** `bytes` were decoded. */
  read(key: Uint8Array, bytes: Uint8Array, value: Value): void {
    this.#of(key).read = { bytes, value };
  }

  /** `value` was encoded. */
  written(key: Uint8Array, bytes: Uint8Array, value: Value): void {
    this.#of(key).written = { bytes, value };
  }

  #of(key: Uint8Array): Kept<Value> {
    const name = keyName(key);
    let kept = this.#kept.get(name);
    if (kept !== undefined) return kept;
    if (this.#kept.size >= FIXED_LIMITS.decodedRecords) this.#kept.clear();
    this.#kept.set(name, (kept = { read: undefined, written: undefined }));
    return kept;
  }
}

/** A codec of the values of keys. */
export interface KeptCodec<Value> {
  readonly encode: (key: Uint8Array, value: Value) => Uint8Array;
  readonly decode: (key: Uint8Array, bytes: Uint8Array) => Value;
}

/**
 * A codec that does not decode what it encoded or decoded before for a key, as long as it gets the same array. Decoding
 * what `encode` makes must give an equal value.
 */
export function keepDecoded<Value extends object>({ encode, decode }: StateCodec<Value>): KeptCodec<Value> {
  const known = new DecodedByKey<Value>();
  return {
    encode(key, value) {
      const bytes = encode(value);
      known.written(key, bytes, value);
      return bytes;
    },
    decode(key, bytes) {
      const before = known.find(key, bytes);
      if (before !== undefined) return before;
      const value = decode(bytes);
      known.read(key, bytes, value);
      return value;
    },
  };
}
