import { describe, expect, it } from 'vitest';
import { createOutbox } from '../../../../src/adapters/comet-rpc/websocket/outbox.js';
import { parseQuery } from '../../../../src/core/query/index.js';
import { FakeSocket } from './harness.js';

describe('outbox of a consensus websocket', () => {
  it('goes on when the kernel takes at the end of a cork what counted as buffered inside it', () => {
    const socket = new FakeSocket();
    socket.cork = (run) => {
      socket.stalled = true;
      run();
      socket.stalled = false;
      socket.takeSilently();
    };
    const query = parseQuery("tm.event='NewBlock'");
    if (!query.ok) throw new Error(query.message);
    const subscription = { client: 1, order: 1, query: query.query };
    const outbox = createOutbox(socket, { socketPauseBytes: 4, socketCutoffBytes: 100 });
    outbox.push(['aaaa', 'bbbb', 'cccc'].map((text) => ({ subscription, text, live: true })));
    expect(socket.frames).toEqual(['aaaa', 'bbbb', 'cccc']);
  });

  const query = parseQuery("tm.event='NewBlock'");
  if (!query.ok) throw new Error(query.message);
  const [first, second] = [1, 2].map((order) => ({ client: 1, order, query: query.query }));
  if (first === undefined || second === undefined) throw new Error('two subscriptions');
  const stalled = () => {
    const socket = new FakeSocket();
    socket.stalled = true;
    socket.send('full');
    return { socket, outbox: createOutbox(socket, { socketPauseBytes: 4, socketCutoffBytes: 10 }) };
  };

  it('only live bytes that wait make a client slow, and what is dropped waits no longer', () => {
    const { outbox } = stalled();
    outbox.push([{ subscription: first, text: 'x'.repeat(100), live: false }]);
    expect(outbox.isOverfull()).toBe(false);
    outbox.push([
      { subscription: first, text: 'x'.repeat(8), live: true },
      { subscription: second, text: 'x'.repeat(8), live: true },
    ]);
    expect(outbox.isOverfull()).toBe(true);
    outbox.drop(first);
    expect(outbox.isOverfull()).toBe(false);
  });

  it.each(['drop', 'clear'] as const)('who waits until nothing waits any more is woken by a %s', async (by) => {
    const { socket, outbox } = stalled();
    outbox.push([{ subscription: first, text: 'replayed', live: false }]);
    const emptied = outbox.emptied();
    if (by === 'drop') outbox.drop(first);
    else outbox.clear();
    await emptied;
    expect(socket.frames).toEqual(['full']);
  });
});
