import { describe, expect, it } from 'vitest';
import { toPosition } from '../../../../src/core/primitives.js';
import { checkPromises } from '../../../../src/testing/index.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { createNode, inputOf, settle } from './harness.js';
import { consensusTarget } from './target.js';

/** Only the test's timeout bounds the time. */
const SEARCH = { runs: propertyRuns(300), timeLimitMs: 2 ** 31 - 1 };

describe('promises to subscribers of the consensus websocket', () => {
  it('hold for clients that read, disconnect, reconnect and resume', async () => {
    await checkPromises(consensusTarget({}), { ...SEARCH, commands: 60 });
  });
  it('hold when sockets stall and small limits cut slow clients off', async () => {
    await checkPromises(consensusTarget({ socketPauseBytes: 400, socketCutoffBytes: 800 }), {
      ...SEARCH,
      commands: 80,
    });
  });

  it('notifications of a connection are in log order, and in order of creation at one position', () => {
    const node = createNode();
    const { socket, call } = node.connect();
    call('late', 'subscribe', ["tm.event='Tx'", true]);
    call('all', 'subscribe', ['tm.event EXISTS', true]);
    node.publish([{ type: 'NewBlock' }, { type: 'Tx' }, { type: 'Tx' }]);
    expect(
      socket
        .parsed()
        .slice(2)
        .map((frame) => [frame.id, frame.result?.data?.value, frame.result?.cursor]),
    ).toEqual([
      ['all', '1/0', '2.0'],
      ['late', '1/1', '2.1'],
      ['all', '1/1', '2.1'],
      ['late', '1/2', '2.2'],
      ['all', '1/2', '2.2'],
    ]);
    expect(socket.corks).toBe(1);
  });

  it('pending notifications of a subscription are dropped before the unsubscribe response', () => {
    const node = createNode({ socketPauseBytes: 10 });
    const { socket, release, call } = node.connect();
    call('x', 'subscribe', ["tm.event='Tx'"]);
    socket.stalled = true;
    node.publish([{ type: 'Tx' }, { type: 'Tx' }, { type: 'Tx' }]);
    socket.takeSilently();
    call('end', 'unsubscribe', ["tm.event='Tx'"]);
    release();
    expect(socket.parsed().map((frame) => frame.id)).toEqual(['x', 'x', 'end']);
  });

  it('a client that does not read is cut off with a reason, and the others receive everything', () => {
    const node = createNode({ socketPauseBytes: 100, socketCutoffBytes: 1_000 });
    const [slow, fast] = [node.connect(), node.connect()];
    slow.call('x', 'subscribe', ['tm.event EXISTS']);
    fast.call('x', 'subscribe', ['tm.event EXISTS']);
    slow.socket.stalled = true;
    for (let block = 0; block < 40; block += 1) node.publish([{ type: 'NewBlock' }]);
    expect(slow.socket.closed).toEqual({ code: 1013, reason: 'slow client' });
    expect(slow.socket.parsed().at(-1)).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      error: { code: -32000, message: 'Server error', data: 'subscription was canceled (reason: slow client)' },
    });
    expect(slow.socket.frames.length).toBeLessThan(5);
    expect(fast.socket.frames).toHaveLength(41);
    expect([node.engine.shell.counters().faces.consensus.clients, node.engine.pump.counters().slow]).toEqual([1, 1]);
  });

  it('a commit that is in the log and not published yet is delivered once, live', async () => {
    const node = createNode();
    node.publish([{ type: 'Tx' }]);
    const { socket, call } = node.connect();
    const ahead = {
      position: toPosition(4n),
      events: (node.log[0]?.events ?? []).map((event) => ({ ...event, value: '"ahead"', position: toPosition(4n) })),
    };
    node.source.logged.push(inputOf(ahead));
    call('x', 'subscribe', { query: "tm.event='Tx'", cursor: '0' });
    await settle();
    node.source.show(inputOf(ahead));
    expect(
      socket
        .parsed()
        .slice(1)
        .map((frame) => frame.result?.data?.value),
    ).toEqual(['1/0', 'ahead']);
  });

  it('resuming from the cursor of any notification delivers the notifications after it', async () => {
    const node = createNode();
    const first = node.connect();
    first.call('x', 'subscribe', ["transfer.recipient='b'", true]);
    for (let block = 0; block < 4; block += 1) {
      node.publish([
        { type: 'NewBlock' },
        { type: 'Tx', attributes: { 'transfer.recipient': ['b'] } },
        { type: 'Tx', attributes: { 'transfer.recipient': ['b'] } },
      ]);
    }
    const seen = first.socket.parsed().slice(1);
    for (const [place, frame] of seen.entries()) {
      const other = node.connect();
      other.call('x', 'subscribe', { query: "transfer.recipient='b'", cursor: frame.result?.cursor });
      await settle();
      expect(other.socket.parsed().slice(1)).toEqual(seen.slice(place + 1));
    }
    expect(seen).toHaveLength(8);
  });

  it('a client whose socket throws is removed and the others are served', () => {
    const node = createNode();
    const broken = node.connect();
    const healthy = node.connect();
    broken.call(1, 'subscribe', ['tm.event EXISTS']);
    healthy.call(1, 'subscribe', ['tm.event EXISTS']);
    broken.socket.closed = { code: 1006, reason: 'gone without notice' };
    node.publish([{ type: 'NewBlock' }]);
    expect(healthy.socket.frames).toHaveLength(2);
    expect([node.engine.shell.counters().faces.consensus.clients, node.engine.pump.counters().failed]).toEqual([1, 1]);
  });

  it('limits refuse a subscription with a reason and leave existing ones unchanged', () => {
    const node = createNode({ cometWsClients: 1, cometWsSubscriptionsPerClient: 1, cometQueryBytes: 20 });
    const [one, two] = [node.connect(), node.connect()];
    one.call(1, 'subscribe', ["tm.event='Tx'"]);
    one.call(2, 'subscribe', ["tm.event='Vote'"]);
    two.call(1, 'subscribe', ["tm.event='Tx'"]);
    expect(one.socket.parsed()[1]?.error?.data).toBe('max_subscriptions_per_client 1 reached');
    expect(two.socket.parsed()[0]?.error?.data).toBe('max_subscription_clients 1 reached');
    one.call(3, 'unsubscribe_all');
    one.call(4, 'subscribe', ["tm.event='NewBlockHeader'"]);
    one.call(5, 'subscribe', ["tm.event='1234567890'"]);
    expect(one.socket.parsed()[3]?.error?.data).toBe('maximum query length exceeded');
    node.publish([{ type: 'Tx' }]);
    expect(one.socket.frames).toHaveLength(5);
  });

  it('matching an event costs as much as the queries that may match, not all queries', () => {
    const node = createNode({ cometWsSubscriptionsPerClient: 2_000 });
    const { call } = node.connect();
    for (let at = 0; at < 1_000; at += 1) call(at, 'subscribe', [`tm.event='Tx' AND transfer.recipient='user${at}'`]);
    node.publish([{ type: 'Tx', attributes: { 'transfer.recipient': ['user7', 'user8'] } }, { type: 'NewBlock' }]);
    expect([node.engine.shell.counters().evaluations, node.engine.pump.counters().frames]).toEqual([2, 2]);
  });
});
