import { fromBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';

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

/**
 * A codec that does not decode what it encoded or decoded before, as long as it gets the same array: records that each
 * block reads and writes again are decoded only after a start. Decoding what `encode` makes must give an equal value.
 */
export function keepDecoded<Value extends object>({ encode, decode }: StateCodec<Value>): StateCodec<Value> {
  const known = new WeakMap<Uint8Array, Value>();
  return {
    encode(value) {
      const bytes = encode(value);
      known.set(bytes, value);
      return bytes;
    },
    decode(bytes) {
      const before = known.get(bytes);
      if (before !== undefined) return before;
      const value = decode(bytes);
      known.set(bytes, value);
      return value;
    },
  };
}
