import { describe, expect, it } from 'vitest';
import { HeldMessages, MessageBudget } from '../../../src/adapters/transport/held-messages.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';

const { heldMessageBytes: least, socketFreeBytes: free } = FIXED_LIMITS;

describe('the message budget of a socket', () => {
  it('gets its bytes back with each released message', () => {
    const messages = new HeldMessages(new MessageBudget(), least);
    for (const text of ['a', 'b']) {
      const held = messages.hold(Buffer.from(text), true);
      expect(messages.hold(Buffer.from('c'), true)).toBe('socketMessageBytes');
      if (typeof held !== 'string') held.release();
      expect(held).toMatchObject({ bytes: 1 });
    }
  });

  it('is not used by a message that exceeds the budget of the process', () => {
    const size = free + 1;
    const room = new MessageBudget(size);
    const [one, other] = [new HeldMessages(room, size), new HeldMessages(room, size)];
    const held = one.hold(Buffer.alloc(size, 'a'), true);
    for (const _ of [1, 2]) expect(other.hold(Buffer.alloc(size, 'b'), true)).toBe('pendingMessageBytes');
    if (typeof held !== 'string') held.release();
    expect(other.hold(Buffer.alloc(size, 'c'), true)).toMatchObject({ bytes: size });
  });
});

it('a client with few messages is served while others use up the budget', () => {
  const room = new MessageBudget(free + 1);
  const [greedy, modest] = [new HeldMessages(room, 2 * free), new HeldMessages(room, 2 * free)];
  const filling = greedy.hold(Buffer.alloc(free + 1, 'a'), true);
  const asked = Array.from({ length: free / least }, () => modest.hold(Buffer.from('b'), true));
  for (const held of asked) expect(held).toMatchObject({ bytes: 1 });
  expect(modest.hold(Buffer.from('c'), true)).toBe('pendingMessageBytes');
  // A message that used no budget returns none.
  for (const held of asked) if (typeof held !== 'string') held.release();
  expect(modest.hold(Buffer.alloc(free + 1, 'd'), true)).toBe('pendingMessageBytes');
  if (typeof filling !== 'string') filling.release();
  expect(modest.hold(Buffer.alloc(free + 1, 'd'), true)).toMatchObject({ bytes: free + 1 });
});
