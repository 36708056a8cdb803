import type { Message } from '../../src/adapters/transport/index.js';

/** A websocket message for a handler without a transport; `released` is called once. */
export function messageOf(text: string, released: () => void = () => undefined): Message {
  let isHeld = true;
  return {
    bytes: Buffer.byteLength(text),
    text: () => text,
    release() {
      if (isHeld) released();
      isHeld = false;
    },
  };
}
