import { describe, expect, it } from 'vitest';
import type { CallResult } from '../../../../src/adapters/comet-rpc/method.js';
import { goldenLines, hasGolden } from '../../../support/golden.js';
import { createNode, settle, type Frame } from './harness.js';
import { messageOf } from '../../../support/message.js';

interface Line {
  readonly conn: string;
  readonly dir?: string;
  readonly frame?: string;
}

const lines = hasGolden ? goldenLines<Line>('faces/comet-ws.jsonl') : [];
const HEALTH: CallResult = { ok: true, result: '{}' };
/**
 * Recorded answers of other parts of the node: `block` comes from the dispatcher. Events are compared by shape below.
 */
const isEvent = (frame: string): boolean => frame.includes('"result":{"query"');

async function replayed(
  conn: string,
): Promise<{ readonly sent: readonly string[]; readonly recorded: readonly string[] }> {
  const node = createNode({ cometWsSubscriptionsPerClient: 5 }, (method) =>
    Promise.resolve(method === 'health' ? HEALTH : { ok: false, error: { code: -32601, message: 'Method not found' } }),
  );
  const { socket, session } = node.connect();
  const recorded: string[] = [];
  for (const { dir, frame = '' } of lines.filter((line) => line.conn === conn)) {
    if (dir === '->' && !frame.includes('"method":"block"'))
      session.onMessage(messageOf(frame.replace('(binary) ', '')));
    if (dir === '<-' && !isEvent(frame) && !frame.includes('"block_id"')) recorded.push(frame);
    await settle();
  }
  return { sent: socket.frames, recorded };
}

describe.skipIf(!hasGolden)('recorded websocket transcripts', () => {
  it.each([...new Set(lines.filter((line) => line.dir === '->').map((line) => line.conn))])(
    '%s: acknowledgements and errors are equal byte for byte',
    async (conn) => {
      const { sent, recorded } = await replayed(conn);
      expect(recorded.length).toBeGreaterThan(0);
      expect(sent).toEqual(recorded);
    },
  );

  it('notifications have the recorded members in the recorded order, and a last cursor on request', () => {
    const recorded =
      lines.find(
        (line) =>
          line.dir === '<-' &&
          line.conn === 'seed queries' &&
          isEvent(line.frame ?? '') &&
          line.frame?.includes('"id":4'),
      )?.frame ?? '';
    const node = createNode();
    const { socket, call } = node.connect();
    call(4, 'subscribe', { query: "tm.event='Tx' AND tx.height > 5" });
    for (let block = 0; block < 6; block += 1) node.publish([{ type: 'Tx' }]);
    const ours = socket.frames.at(-1) ?? '';
    expect(ours.slice(0, ours.indexOf('"value"'))).toBe(recorded.slice(0, recorded.indexOf('"value"')));
    const members = (frame: string): readonly string[] => Object.keys((JSON.parse(frame) as Frame).result ?? {});
    expect(members(ours)).toEqual(members(recorded));
    call(5, 'subscribe', { query: "tm.event='Tx'", cursor: true });
    node.publish([{ type: 'Tx' }]);
    expect(members(socket.frames.at(-1) ?? '')).toEqual([...members(recorded), 'cursor']);
  });
});

describe('a websocket connection', () => {
  it('answers requests strictly one after another while events keep flowing', async () => {
    const waiting: ((result: CallResult) => void)[] = [];
    const node = createNode({}, () => new Promise((resolve) => waiting.push(resolve)));
    const { socket, call } = node.connect();
    call(1, 'subscribe', ["tm.event='Tx'"]);
    call(2, 'broadcast_tx_commit', { tx: '' });
    call(3, 'unsubscribe_all');
    node.publish([{ type: 'Tx' }]);
    expect(socket.parsed().map((frame) => frame.id)).toEqual([1, 1]);
    waiting[0]?.({ ok: true, result: '{}' });
    await settle();
    node.publish([{ type: 'Tx' }]);
    expect(socket.parsed().map((frame) => frame.id)).toEqual([1, 1, 2, 3]);
  });

  it('continues after a subscribe whose cursor cannot be looked up, and reports the defect', async () => {
    const node = createNode();
    const broken = new Error('the disk is gone');
    node.source.verdict = () => Promise.reject(broken);
    const { socket, call } = node.connect();
    call(1, 'subscribe', { query: "tm.event='Tx'", cursor: '0' });
    call(2, 'health');
    await settle();
    expect(socket.parsed().map(({ id, error }) => [id, error?.data])).toEqual([
      [1, 'internal error'],
      [2, undefined],
    ]);
    expect(node.engine.defects).toEqual([broken]);
  });

  it('answers bad params as an internal error', async () => {
    const node = createNode({}, () =>
      Promise.resolve({ ok: false, error: { code: -32602, message: 'Invalid params', data: 'why' } }),
    );
    const { socket, call } = node.connect();
    call(1, 'block', { height: 5 });
    await settle();
    expect(socket.parsed()[0]?.error).toEqual({ code: -32603, message: 'Internal error', data: 'why' });
  });

  it('treats two spellings of a query as one subscription, which either can end', () => {
    const { socket, call } = createNode().connect();
    call(1, 'subscribe', ["tm.event='Tx'"]);
    call(2, 'subscribe', ["tm.event = 'Tx'"]);
    call(3, 'unsubscribe', ["tm.event  ='Tx'"]);
    expect(socket.parsed().map((frame) => frame.error?.data)).toEqual([undefined, 'already subscribed', undefined]);
  });

  it('refuses a cursor above the head of the log, and one of another format', () => {
    const { socket, call } = createNode().connect();
    call(1, 'subscribe', { query: "tm.event='Tx'", cursor: '9' });
    call(2, 'subscribe', { query: "tm.event='Tx'", cursor: 'x' });
    expect(socket.parsed().map((frame) => frame.error?.data)).toEqual([
      'cursor is ahead of the log',
      'cursor is not one that a notification carried',
    ]);
  });

  it('is closed when too many requests wait', () => {
    const { socket, call } = createNode({}, () => new Promise(() => undefined)).connect();
    for (let at = 0; at < 1_002; at += 1) call(at, 'health');
    expect(socket.closed).toEqual({
      code: 1008,
      reason: 'too many requests are waiting (limit cometWsWaitingMessages)',
    });
  });

  it('limits the bytes of waiting requests, and does not count answered ones', async () => {
    const answers: ((result: CallResult) => void)[] = [];
    const { socket, session } = createNode(
      { cometBodyBytes: 4_000 },
      () => new Promise((resolve) => answers.push(resolve)),
    ).connect();
    const request = `{"id":1,"method":"health","params":{"x":"${'x'.repeat(1_000)}"}}`;
    for (let round = 0; round < 20; round += 1) {
      session.onMessage(messageOf(request));
      session.onMessage(messageOf(request));
      for (let answered = 0; answered < 2; answered += 1) {
        answers.shift()?.({ ok: true, result: '{}' });
        await settle();
      }
    }
    expect([socket.frames.length, socket.closed]).toEqual([40, undefined]);
    for (let more = 0; more < 6; more += 1) session.onMessage(messageOf(request));
    expect(socket.closed).toEqual({
      code: 1008,
      reason: 'too many requests are waiting (limit cometWsWaitingMessages)',
    });
  });

  it('holds a request until it is answered, refused, or its connection ends', async () => {
    const answers: ((result: CallResult) => void)[] = [];
    const { session } = createNode(
      { cometWsWaitingMessages: 2 },
      () => new Promise((resolve) => answers.push(resolve)),
    ).connect();
    let held = 0;
    const say = (text: string): void => {
      held += 1;
      session.onMessage(messageOf(text, () => (held -= 1)));
    };
    for (const text of ['{', '{"method":"health"}', '{"id":1,"method":"unsubscribe_all"}']) say(text);
    expect(held).toBe(0);
    for (let id = 0; id < 3; id += 1) say(`{"id":${id},"method":"health"}`);
    expect(held).toBe(3);
    answers[0]?.({ ok: true, result: '{}' });
    await settle();
    expect([held, answers.length]).toEqual([2, 2]);
    // One is being answered, two wait.
    for (const id of [4, 5, 6]) say(`{"id":${id},"method":"health"}`);
    expect(held).toBe(1);
    answers[1]?.({ ok: true, result: '{}' });
    await settle();
    expect([held, answers.length]).toEqual([0, 2]);
  });

  it('refuses a request for which there is no room, while the client reads', () => {
    const { socket, session } = createNode({ socketPauseBytes: 1_000 }).connect();
    const request = Buffer.from('{"jsonrpc":"2.0","id":"7","method":"health"}');
    expect(session.onNoRoom(request, 'too much (limit x)')).toBe(true);
    expect(session.onNoRoom(Buffer.from('{"method":"health"}'), 'too much (limit x)')).toBe(false);
    expect(socket.parsed()).toEqual([
      { jsonrpc: '2.0', id: '7', error: { code: -32603, message: 'Internal error', data: 'too much (limit x)' } },
    ]);
    socket.stalled = true;
    socket.send('x'.repeat(1_000));
    expect(session.onNoRoom(request, 'too much (limit x)')).toBe(false);
    session.onClose();
    socket.release();
    expect(session.onNoRoom(request, 'too much (limit x)')).toBe(false);
  });

  it('answers nothing while the client does not read, and continues when it does', async () => {
    const asked: string[] = [];
    const { socket, release, call } = createNode({ socketPauseBytes: 100 }, (method) => {
      asked.push(method);
      return Promise.resolve({ ok: true, result: `"${'x'.repeat(200)}"` });
    }).connect();
    socket.stalled = true;
    for (let id = 1; id <= 3; id += 1) call(id, 'health');
    await settle();
    expect([asked.length, socket.frames.length]).toEqual([1, 1]);
    release();
    await settle();
    expect([asked.length, socket.frames.length]).toEqual([3, 3]);
  });

  it('answers and accepts nothing after its end', async () => {
    const answers: ((result: CallResult) => void)[] = [];
    const { socket, session, call } = createNode({}, () => new Promise((resolve) => answers.push(resolve))).connect();
    call(1, 'health');
    session.stop('bye');
    answers[0]?.({ ok: true, result: '{}' });
    await settle();
    for (let at = 0; at < 1_002; at += 1) call(at, 'health');
    session.stop('again');
    expect([socket.frames, socket.closed, answers.length]).toEqual([[], { code: 1001, reason: 'bye' }, 1]);
  });

  it('ends a subscription with the reason when its replay fails, and accepts it again', async () => {
    const node = createNode();
    node.publish([{ type: 'Tx' }]);
    node.source.failure = new Error('secret');
    const { socket, call } = node.connect();
    call(7, 'subscribe', { query: "tm.event='Tx'", cursor: '0' });
    await settle();
    expect(socket.parsed().map(({ error }) => error?.data)).toEqual([
      undefined,
      'subscription was canceled (reason: replay failed)',
    ]);
    expect(node.engine.shell.counters().faces.consensus.subscriptions).toBe(0);
    call(8, 'subscribe', ["tm.event='Tx'"]);
    node.publish([{ type: 'Tx' }]);
    expect(
      socket
        .parsed()
        .slice(2)
        .map(({ id }) => id),
    ).toEqual([8, 8]);
  });

  it('ends each subscription with a reason when a client is too slow, and counts the client', () => {
    const node = createNode();
    const { socket, session, call } = node.connect();
    call(7, 'subscribe', ["tm.event='Tx'"]);
    session.onStalled();
    session.onStalled();
    expect(socket.frames.slice(1)).toEqual([
      '{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"Server error","data":"subscription was canceled (reason: slow client)"}}',
    ]);
    expect([socket.closed, node.engine.shell.counters().faces.consensus.clients]).toEqual([
      { code: 1013, reason: 'slow client' },
      0,
    ]);
    node.publish([{ type: 'Tx' }]);
    expect(socket.frames).toHaveLength(2);
  });

  it('ends every subscription with a reason when the node stops', () => {
    const { socket, session, call } = createNode().connect();
    call('a', 'subscribe', ["tm.event='Tx'"]);
    session.stop('CometBFT exited');
    expect(socket.frames[1]).toBe(
      '{"jsonrpc":"2.0","id":"a","error":{"code":-32000,"message":"Server error","data":"subscription was canceled (reason: CometBFT exited)"}}',
    );
    expect(socket.closed?.code).toBe(1001);
  });
});
