import { fromBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import '../text/message-text.js';

/**
 * Creates a decoder that decodes each state value once. Values are passed by reference and never change, so the
 * decoded message is cached by array. Callers must not change the message.
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
