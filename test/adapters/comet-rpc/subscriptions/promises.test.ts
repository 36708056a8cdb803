import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPosition } from '../../../../src/core/primitives.js';
import { createNode, settle, type EventSpec, type FakeSocket, type Frame, type Node } from './harness.js';
import { promised, QUERIES, type ModelSubscription } from './model.js';
import { propertyRuns } from '../../../support/property-runs.js';

const event: fc.Arbitrary<EventSpec> = fc.record({
  type: fc.constantFrom('NewBlock', 'Tx', 'Vote'),
  attributes: fc.constantFrom<Readonly<Record<string, readonly string[]>>>(
    {},
    { 'transfer.recipient': ['a'] },
    { 'transfer.recipient': ['a', 'b'] },
    { 'ethereum_tx.recipient': ['0xab'] },
  ),
  padding: fc.constantFrom(0, 30),
});
const client = fc.nat(2);
const query = fc.nat(QUERIES.length - 1);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('commit' as const), events: fc.array(event, { maxLength: 4 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('subscribe' as const), client, query }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resume' as const), client, query, cut: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unsubscribe' as const), client, query }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unsubscribeAll' as const), client }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('stall' as const, 'release' as const, 'close' as const), client }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'settle' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Peer {
  connection: ReturnType<Node['connect']>;
  readonly open: Map<number, ModelSubscription>;
}

/** Values of the notifications under one id. */
function arrived(frames: readonly Frame[], id: string): readonly string[] {
  return frames
    .filter((frame) => frame.id === id && frame.result?.data !== undefined)
    .map((frame) => JSON.stringify(frame.result?.data?.value));
}

function firstFrame(socket: FakeSocket, id: string): Frame | undefined {
  return socket.parsed().find((frame) => frame.id === id);
}

async function play(steps: readonly Step[], limits: Parameters<typeof createNode>[0]): Promise<void> {
  const node = createNode(limits);
  const subscriptions: { readonly model: ModelSubscription; readonly socket: FakeSocket }[] = [];
  const peers: Peer[] = [0, 1, 2].map(() => ({ connection: node.connect(), open: new Map() }));
  const hang = (peer: Peer): void => {
    peer.open.clear();
    peer.connection = node.connect();
  };
  let nextId = 1;
  for (const action of steps) {
    if (action.do === 'commit') node.publish(action.events);
    if (action.do === 'settle') await settle();
    if (action.do === 'commit' || action.do === 'settle') {
      // A client that was cut off comes back as a new connection.
      peers.filter((peer) => peer.connection.socket.closed !== undefined).forEach(hang);
      continue;
    }
    const peer = peers[action.client];
    if (peer === undefined) continue;
    const { connection, open } = peer;
    const id = `${action.client}-${nextId}`;
    nextId += 1;
    if (action.do === 'stall') connection.socket.stalled = true;
    if (action.do === 'release') connection.socket.release(connection.session);
    if (action.do === 'close') {
      connection.session.onClose();
      for (const model of open.values()) model.end = node.log.length;
      hang(peer);
    }
    // A stalled client's requests are not read; the model keeps to those that are.
    if (connection.socket.stalled) continue;
    if (action.do === 'unsubscribeAll') {
      connection.call(id, 'unsubscribe_all');
      expect(firstFrame(connection.socket, id)?.error?.data).toBe(
        open.size === 0 ? 'subscription not found' : undefined,
      );
      for (const model of open.values()) model.end = node.log.length;
      open.clear();
    }
    if (action.do !== 'subscribe' && action.do !== 'unsubscribe' && action.do !== 'resume') continue;
    const asked = QUERIES[action.query];
    if (asked === undefined) continue;
    if (action.do === 'unsubscribe') {
      connection.call(id, 'unsubscribe', { query: asked.text });
      const model = open.get(action.query);
      expect(firstFrame(connection.socket, id)?.error?.data).toBe(
        model === undefined ? 'subscription not found' : undefined,
      );
      if (model !== undefined) model.end = node.log.length;
      open.delete(action.query);
      continue;
    }
    const begin =
      action.do === 'subscribe' || node.log.length === 0 ? node.log.length : action.cut % (node.log.length + 1);
    const events = node.log[begin]?.events.length ?? 0;
    const seenOfFirst = action.do === 'resume' && events > 0 ? action.cut % (events + 1) : 0;
    const cursor = seenOfFirst > 0 ? `${(begin + 1) * 2}.${seenOfFirst - 1}` : String(begin * 2);
    connection.call(id, 'subscribe', action.do === 'subscribe' ? [asked.text] : { query: asked.text, cursor });
    const response = firstFrame(connection.socket, id);
    if (open.has(action.query)) {
      expect(response?.error?.data, 'S11').toBe('already subscribed');
      continue;
    }
    expect(response, 'S5: the response is the first frame of its id').toEqual({ jsonrpc: '2.0', id, result: {} });
    const model: ModelSubscription = { client: action.client, id, query: asked, begin, seenOfFirst, end: undefined };
    open.set(action.query, model);
    subscriptions.push({ model, socket: connection.socket });
  }
  for (const { connection } of peers) {
    if (connection.socket.closed === undefined) connection.socket.release(connection.session);
  }
  await settle();
  await settle();
  for (const { model, socket } of subscriptions) {
    const got = arrived(socket.parsed(), model.id);
    const all = promised(node.log, model);
    const isWhole = peers.some((peer) => peer.open.get(QUERIES.indexOf(model.query)) === model);
    expect(got, 'S1-S4: a prefix of what matches, in log order').toEqual(all.slice(0, got.length));
    if (isWhole) expect(got, 'S7: whole while not ended').toEqual(all);
    if (socket.closed !== undefined) {
      expect(socket.closed).toEqual({ code: 1013, reason: 'slow client' });
      if (model.end === undefined) {
        expect(
          socket
            .parsed()
            .filter((frame) => frame.id === model.id)
            .at(-1)?.error,
          'S7: ends with a reason',
        ).toEqual({
          code: -32000,
          message: 'Server error',
          data: 'subscription was canceled (reason: slow client)',
        });
      }
    }
  }
  for (const { connection } of peers) connection.session.onClose();
  expect(node.registry.counters(), 'S9: nothing is left').toMatchObject({
    clients: 0,
    subscriptions: 0,
    failedClients: 0,
  });
}

describe('promises to subscribers (reliability-security.md S1-S12)', () => {
  it('hold for clients that read, leave, return and resume', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), (steps) => play(steps, {})),
      { numRuns: propertyRuns(300) },
    );
  });
  it('hold when sockets stall and small limits cut slow clients off', async () => {
    const limits = { socketPauseBytes: 400, socketCutoffBytes: 800 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), (steps) => play(steps, limits)),
      { numRuns: propertyRuns(300) },
    );
  });

  it('S4: notifications of one connection are in log order, ties by creation', () => {
    const node = createNode();
    const { socket, call } = node.connect();
    call('late', 'subscribe', ["tm.event='Tx'"]);
    call('all', 'subscribe', ['tm.event EXISTS']);
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
      ['late', '1/2', '2'],
      ['all', '1/2', '2'],
    ]);
    expect(socket.corks).toBe(1);
  });

  it('S6: what waits for a subscription is gone after the unsubscribe response', () => {
    const node = createNode({ socketPauseBytes: 10 });
    const { socket, session, call } = node.connect();
    call('x', 'subscribe', ["tm.event='Tx'"]);
    socket.stalled = true;
    node.publish([{ type: 'Tx' }, { type: 'Tx' }, { type: 'Tx' }]);
    socket.takeSilently();
    call('end', 'unsubscribe', ["tm.event='Tx'"]);
    socket.release(session);
    expect(socket.parsed().map((frame) => frame.id)).toEqual(['x', 'x', 'end']);
  });

  it('S7: a client that does not read is cut off with a reason, and the others get everything', () => {
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
    expect(node.registry.counters()).toMatchObject({ clients: 1, slowClients: 1 });
  });

  it('S12: a commit that the log holds and nobody has been shown comes once, live', async () => {
    const node = createNode();
    node.publish([{ type: 'Tx' }]);
    const { socket, call } = node.connect();
    const ahead = {
      position: toPosition(4n),
      events: (node.log[0]?.events ?? []).map((event) => ({ ...event, value: '"ahead"', position: toPosition(4n) })),
    };
    node.log.push(ahead);
    call('x', 'subscribe', { query: "tm.event='Tx'", cursor: '0' });
    await settle();
    node.hub.publish(ahead);
    expect(
      socket
        .parsed()
        .slice(1)
        .map((frame) => frame.result?.data?.value),
    ).toEqual(['1/0', 'ahead']);
  });

  it("S12: for every cut point, what follows a notification's cursor is what followed the notification", async () => {
    const node = createNode();
    const first = node.connect();
    first.call('x', 'subscribe', ["transfer.recipient='b'"]);
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

  it('S8: a client whose socket throws is removed and the others are served', () => {
    const node = createNode();
    const broken = node.connect();
    const healthy = node.connect();
    broken.call(1, 'subscribe', ['tm.event EXISTS']);
    healthy.call(1, 'subscribe', ['tm.event EXISTS']);
    broken.socket.closed = { code: 1006, reason: 'gone without notice' };
    node.publish([{ type: 'NewBlock' }]);
    expect(healthy.socket.frames).toHaveLength(2);
    expect(node.registry.counters()).toMatchObject({ clients: 1, failedClients: 1 });
  });

  it('S10: caps refuse with a reason and leave what exists untouched', () => {
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

  it('an event costs the queries that may match it, not those that exist', () => {
    const node = createNode({ cometWsSubscriptionsPerClient: 2_000 });
    const { call } = node.connect();
    for (let at = 0; at < 1_000; at += 1) call(at, 'subscribe', [`tm.event='Tx' AND transfer.recipient='user${at}'`]);
    node.publish([{ type: 'Tx', attributes: { 'transfer.recipient': ['user7', 'user8'] } }, { type: 'NewBlock' }]);
    expect(node.registry.counters()).toMatchObject({ evaluations: 2, delivered: 2 });
  });
});
