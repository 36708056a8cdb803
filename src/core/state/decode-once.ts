import { fromBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import '../text/message-text.js';

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
