import { describe, expect, it } from 'vitest';
import { HeldMessages, MessageRoom } from '../../../src/adapters/transport/held-messages.js';
import { FIXED_LIMITS } from '../../../src/core/limits.js';

const { heldMessageBytes: least } = FIXED_LIMITS;

describe('the room of one socket', () => {
  it('comes back with each message', () => {
    const messages = new HeldMessages(new MessageRoom(), least);
    for (const text of ['a', 'b']) {
      const held = messages.hold(Buffer.from(text), true);
      expect(messages.hold(Buffer.from('c'), true)).toBe('socketMessageBytes');
      if (typeof held !== 'string') held.release();
      expect(held).toMatchObject({ bytes: 1 });
    }
  });

  it('is not taken by a message for which there is no room in the process', () => {
    const room = new MessageRoom(least);
    const [one, other] = [new HeldMessages(room, least), new HeldMessages(room, least)];
    const held = one.hold(Buffer.from('a'), true);
    for (const _ of [1, 2]) expect(other.hold(Buffer.from('b'), true)).toBe('pendingMessageBytes');
    if (typeof held !== 'string') held.release();
    expect(other.hold(Buffer.from('c'), true)).toMatchObject({ bytes: 1 });
  });
});
