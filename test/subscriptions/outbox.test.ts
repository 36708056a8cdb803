import { describe, expect, it } from 'vitest';
import { createOutbox } from '../../src/adapters/comet-rpc/websocket/outbox.js';
import { parseQuery } from '../../src/core/query/index.js';
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
});
