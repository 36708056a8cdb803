import { describe, expect, it } from 'vitest';
import { createEthereumSession } from '../../../src/adapters/eth-rpc/session.js';
import type {
  ConnectionSubscriptions,
  EthereumSubscriptions,
  Subscribed,
  SubscriptionRequest,
} from '../../../src/adapters/eth-rpc/subscriptions/index.js';
import { closeOf } from '../../../src/adapters/push/index.js';
import type { Socket } from '../../../src/adapters/transport/index.js';
import { hexData } from '../../../src/core/bytes/hex.js';
import { DEFAULT_LIMITS, type Limits } from '../../../src/core/limits/limits.js';
import type { EthereumCallResult } from '../../../src/core/ethereum/api.js';
import type { Outcome } from '../../../src/core/node-api.js';
import { CONTRACT, TOPIC } from './fake-node.js';
import { type Face, openFace } from './face.js';
import { messageOf } from '../../support/message.js';

/** A hub that sends a notification whenever it may, and once at its activation. */
function eagerHub() {
  const requests: SubscriptionRequest[] = [];
  const events: string[] = [];
  let next = 0;
  const hub: EthereumSubscriptions = {
    connect(socket): ConnectionSubscriptions {
      events.push('connect');
      const active = new Set<string>();
      return {
        subscribe(request): Subscribed {
          requests.push(request);
          next += 1;
          const id = `0x${next}`;
          active.add(id);
          return { ok: true, id, activate: () => void socket.send(`first of ${id}`) };
        },
        unsubscribe: (id) => active.delete(id),
        end(cutOff) {
          const { code, reason } = closeOf('ethereum', cutOff);
          socket.end(code, reason);
        },
        stalled: () => events.push('stalled'),
        drained: () => events.push('drained'),
        closed: () => events.push('closed'),
      };
    },
  };
  return { hub, requests, events };
}

function fakeSocket() {
  const frames: string[] = [];
  const state = { buffered: 0, ended: undefined as [number, string] | undefined };
  const socket: Socket = {
    remoteAddress: '127.0.0.1',
    head: { method: 'GET', path: '/', query: '', headers: new Map() },
    send(text) {
      frames.push(text);
      return 'sent';
    },
    bufferedBytes: () => state.buffered,
    cork: (run) => run(),
    end: (code, reason) => {
      state.ended = [code, reason];
    },
  };
  return { socket, frames, state };
}

function connect(face: Face) {
  const fake = fakeSocket();
  const { handler } = face.rpc.webSocket;
  handler.open(fake.socket);
  /** Messages that were not released. */
  const held = new Set<string>();
  return {
    ...fake,
    held,
    say: (message: unknown): void => {
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      held.add(text);
      handler.message(
        fake.socket,
        messageOf(text, () => held.delete(text)),
      );
    },
    sayWithoutRoom: (text: string) => handler.noRoom?.(fake.socket, Buffer.from(text), 'too much (limit x)'),
    drain: () => handler.drain(fake.socket),
    close: () => handler.close(fake.socket),
  };
}

const open = (limits: Partial<Limits> = {}) => {
  const eager = eagerHub();
  const face = openFace({ subscriptions: eager.hub, limits });
  return { face, ...eager, ...connect(face) };
};
const subscribe = (id: number, ...params: readonly unknown[]): object => ({
  jsonrpc: '2.0',
  id,
  method: 'eth_subscribe',
  params,
});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('websocket session', () => {
  it('sends the answer with the id before the first notification', () => {
    const { frames, say } = open();
    say(subscribe(1, 'newHeads'));
    expect(frames).toEqual(['{"jsonrpc":"2.0","id":1,"result":"0x1"}', 'first of 0x1']);
  });

  it('answers other requests while any number of sends wait for their blocks', async () => {
    const { face, frames, say } = open({ ethWsConcurrentCalls: 2 });
    face.node.inBlock = new Promise(() => undefined);
    for (let id = 0; id < 5; id += 1) say({ id, method: 'eth_sendRawTransaction', params: [`0x0${id}`] });
    say({ id: 9, method: 'eth_chainId' });
    while (frames.length === 0) await turn();
    expect(JSON.parse(frames[0] ?? '')).toMatchObject({ id: 9 });
    expect(face.node.asked.sent).toHaveLength(5);
  });

  it('sends the whole answer of a batch before the first notification', async () => {
    const { frames, say } = open();
    say([subscribe(1, 'newHeads'), { id: 2, method: 'eth_chainId' }, subscribe(3, 'syncing')]);
    await turn();
    expect(frames).toEqual([
      '[{"jsonrpc":"2.0","id":1,"result":"0x1"},{"jsonrpc":"2.0","id":2,"result":"0x2328"},{"jsonrpc":"2.0","id":3,"result":"0x2"}]',
      'first of 0x1',
      'first of 0x2',
    ]);
  });

  it('refuses `syncing` behind an engine, which reports no changes', async () => {
    const { face, frames, say } = open();
    const unasked = (): never => {
      throw new Error('asked the engine');
    };
    Object.assign(face.node.api, { engine: { block: unasked, status: unasked, network: unasked } });
    say(subscribe(1, 'syncing'));
    await turn();
    const error = { code: -32000, message: 'syncing subscription is not implemented' };
    expect(frames.map((frame) => JSON.parse(frame))).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
  });

  it('starts no subscription for a notification request, whose id no client learns', () => {
    const { frames, say } = open();
    say({ jsonrpc: '2.0', method: 'eth_subscribe', params: ['newHeads'] });
    expect(frames).toEqual([]);
    say({ jsonrpc: '2.0', id: 2, method: 'eth_unsubscribe', params: ['0x1'] });
    expect(frames).toEqual(['{"jsonrpc":"2.0","id":2,"result":false}']);
  });

  it('starts no subscription whose answer does not fit into its batch', async () => {
    const { frames, say } = open({ ethBatchResponseBytes: 40 });
    say([{ id: 1, method: 'eth_chainId' }, subscribe(2, 'newHeads')]);
    await turn();
    say({ jsonrpc: '2.0', id: 3, method: 'eth_unsubscribe', params: ['0x1'] });
    expect(frames.at(-1)).toBe('{"jsonrpc":"2.0","id":3,"result":false}');
    expect(frames).toHaveLength(2);
  });

  it('eth_unsubscribe answers true once, and false for unknown ids of the connection', () => {
    const { frames, say } = open();
    say(subscribe(1, 'newHeads'));
    for (const id of ['0x1', '0x1', '0xdead']) say({ jsonrpc: '2.0', id: 2, method: 'eth_unsubscribe', params: [id] });
    expect(frames.slice(2).map((frame) => (JSON.parse(frame) as { result: unknown }).result)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('decodes parameters into checked requests', () => {
    const { say, requests } = open();
    say(subscribe(1, 'newHeads', {}));
    say(subscribe(1, 'newHeads', { fromBlock: '0x2' }));
    say(subscribe(1, 'logs', { address: hexData(CONTRACT), topics: [null, [hexData(TOPIC)]], cursor: '12.3' }));
    say(subscribe(1, 'newHeads', { cursor: '0x1a' }));
    say(subscribe(1, 'newHeads', { fromBlock: '0x2', cursor: true }));
    say(subscribe(1, 'logs'));
    say(subscribe(1, 'newPendingTransactions', true));
    say(subscribe(1, 'newPendingTransactions'));
    say(subscribe(1, 'newPendingTransactions', { fullTransactions: true, cursor: true }));
    const now = { kind: 'now' };
    const everything = { fromBlock: undefined, toBlock: undefined, addresses: [], topics: [] };
    expect(requests).toEqual([
      { criteria: { kind: 'newHeads', fromBlock: undefined }, start: now, cursors: false },
      { criteria: { kind: 'newHeads', fromBlock: 2n }, start: { kind: 'height', height: 2n }, cursors: false },
      {
        criteria: { kind: 'logs', criteria: { ...everything, addresses: [CONTRACT], topics: [[], [TOPIC]] } },
        start: { kind: 'cursor', cursor: { after: 11n, partial: { within: 12n, index: 3 } } },
        cursors: true,
      },
      {
        criteria: { kind: 'newHeads', fromBlock: undefined },
        start: { kind: 'cursor', cursor: { after: 26n, partial: undefined } },
        cursors: true,
      },
      { criteria: { kind: 'newHeads', fromBlock: 2n }, start: { kind: 'height', height: 2n }, cursors: true },
      { criteria: { kind: 'logs', criteria: everything }, start: now, cursors: false },
      { criteria: { kind: 'newPendingTransactions', fullTransactions: true }, start: now, cursors: false },
      { criteria: { kind: 'newPendingTransactions', fullTransactions: false }, start: now, cursors: false },
      { criteria: { kind: 'newPendingTransactions', fullTransactions: true }, start: now, cursors: true },
    ]);
  });

  it.each([
    [['nope'], -32601, 'no "nope" subscription in eth namespace'],
    [[], -32602, 'expected subscription name as first argument'],
    [[5], -32602, 'expected subscription name as first argument'],
    [
      ['logs', { address: '0x12' }],
      -32602,
      'invalid argument 1: invalid address: hex has invalid length 1 after decoding; expected 20 for address',
    ],
    [['logs', { fromBlock: 'pending' }], -32602, 'pending logs are not supported'],
    [['logs', { cursor: 'x' }], -32602, 'invalid argument 1: cursor is not one that a notification carried'],
    [['newHeads', {}, 1], -32602, 'too many arguments, want at most 2'],
    [
      ['transactionReceipts', { transactionHashes: Array.from({ length: 201 }, () => hexData(TOPIC)) }],
      -32000,
      'exceed max number of transaction hashes allowed per transactionReceipts subscription: limit ethReceiptHashes (200)',
    ],
  ])('%.80j is refused', (params, code, message) => {
    const { frames, say } = open();
    say(subscribe(1, ...params));
    expect(JSON.parse(frames[0] ?? '')).toEqual({ jsonrpc: '2.0', id: 1, error: { code, message } });
  });

  it('runs a slow call without delaying others', async () => {
    const { face, frames, say } = open();
    let finish: (outcome: Outcome<EthereumCallResult>) => void = () => undefined;
    face.node.call = () => new Promise((resolve) => (finish = resolve));
    say({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{}] });
    say({ jsonrpc: '2.0', id: 2, method: 'eth_chainId' });
    expect(frames).toEqual(['{"jsonrpc":"2.0","id":2,"result":"0x2328"}']);
    finish({ ok: true, value: { kind: 'success', output: new Uint8Array(0), gasUsed: 0n, logs: [] } });
    await turn();
    expect(frames[1]).toBe('{"jsonrpc":"2.0","id":1,"result":"0x"}');
  });

  it('queues calls beyond the limit, and ends a connection with too many of them', async () => {
    const { face, say, state, held, close } = open({ ethWsConcurrentCalls: 2, ethWsWaitingMessages: 3 });
    const finish: (() => void)[] = [];
    face.node.call = () =>
      new Promise((resolve) =>
        finish.push(() =>
          resolve({ ok: true, value: { kind: 'success', output: new Uint8Array(0), gasUsed: 0n, logs: [] } }),
        ),
      );
    for (let id = 1; id <= 5; id += 1) say({ jsonrpc: '2.0', id, method: 'eth_call', params: [{}] });
    expect([finish.length, held.size]).toEqual([2, 5]);
    finish[0]?.();
    await turn();
    expect([finish.length, held.size]).toEqual([3, 4]);
    expect(state.ended).toBeUndefined();
    for (let id = 6; id <= 8; id += 1) say({ jsonrpc: '2.0', id, method: 'eth_call', params: [{}] });
    expect(state.ended).toEqual([1008, 'too many requests are waiting (limit ethWsWaitingMessages)']);
    // Two run and three wait.
    expect(held.size).toBe(5);
    close();
    expect(held.size).toBe(2);
    for (const one of finish) one();
    await turn();
    expect(held.size).toBe(0);
  });

  it('reports a defect, which occupies neither memory nor a place among the calls', async () => {
    const released: string[] = [];
    const defects: string[] = [];
    const session = createEthereumSession({
      connect: () => (text) => {
        if (text === 'at once') throw new Error(text);
        return Promise.reject(new Error(text));
      },
      socket: fakeSocket().socket,
      subscriptions: undefined,
      limits: { ...DEFAULT_LIMITS, ethWsConcurrentCalls: 1 },
      large: { next: () => Promise.resolve() },
      client: 'a client',
      name: 'a client',
      onDefect: (error) => defects.push(error instanceof Error ? error.message : ''),
    });
    const texts = ['later', 'at once', 'once more'];
    for (const text of texts) session.onMessage(messageOf(text, () => released.push(text)));
    await turn();
    expect(released).toEqual(texts);
    expect(defects).toEqual(texts);
  });

  it('holds a message until it is answered, however it is answered', async () => {
    const { say, held } = open();
    say({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
    say('{');
    say({ method: 'eth_chainId' });
    expect(held.size).toBe(0);
    say([{ id: 1, method: 'eth_chainId' }]);
    say(`{"id":1,"method":"eth_chainId","params":[]${' '.repeat(70_000)}}`);
    expect(held.size).toBe(2);
    while (held.size > 0) await turn();
  });

  it('refuses a call for which there is no room by its id, while the client reads', () => {
    const { frames, sayWithoutRoom, state, close } = open();
    const refused = { code: -32005, message: 'too much (limit x)' };
    expect(sayWithoutRoom('{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}')).toBe(true);
    expect(frames.map((frame) => JSON.parse(frame) as unknown)).toEqual([{ jsonrpc: '2.0', id: 7, error: refused }]);
    expect(sayWithoutRoom('[{"id":7}]')).toBe(false);
    state.buffered = 1_000_000;
    expect(sayWithoutRoom('{"id":7}')).toBe(false);
    state.buffered = 0;
    close();
    expect(sayWithoutRoom('{"id":7}')).toBe(false);
    expect(frames).toHaveLength(1);
  });

  it('queues requests while the client does not read, and continues when it does', () => {
    const { frames, say, state, drain, events } = open();
    say(subscribe(1, 'newHeads'));
    state.buffered = 1_000_000;
    say({ jsonrpc: '2.0', id: 2, method: 'eth_chainId' });
    expect(frames).toHaveLength(2);
    state.buffered = 0;
    drain();
    expect(frames[2]).toBe('{"jsonrpc":"2.0","id":2,"result":"0x2328"}');
    expect(events).toContain('drained');
  });

  it('tells the hub of a close once, and only for connections that subscribed', () => {
    const { face, say, close, events } = open();
    connect(face).close();
    expect(events).toEqual([]);
    say(subscribe(1, 'newHeads'));
    close();
    expect(events).toEqual(['connect', 'closed']);
    expect(face.rpc.sessions()).toBe(0);
  });

  it('drops answers of calls that outlive the connection', async () => {
    const { face, frames, say, close, events } = open();
    let finish: (outcome: Outcome<EthereumCallResult>) => void = () => undefined;
    face.node.call = () => new Promise((resolve) => (finish = resolve));
    say([{ id: 1, method: 'eth_call', params: [{}] }, subscribe(2, 'newHeads')]);
    close();
    finish({ ok: true, value: { kind: 'success', output: new Uint8Array(0), gasUsed: 0n, logs: [] } });
    await turn();
    expect(frames).toEqual([]);
    expect(events).toEqual([]);
  });

  it('has no notifications without a hub', () => {
    const { frames, say } = connect(openFace());
    say(subscribe(1, 'newHeads'));
    expect(JSON.parse(frames[0] ?? '')).toMatchObject({
      error: { code: -32601, message: 'notifications not supported' },
    });
  });
});
