import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createServer, type Server } from '../../../../src/adapters/transport/index.js';
import { DEFAULT_LIMITS } from '../../../../src/core/limits/limits.js';
import { openFace, timers } from '../face.js';
import { DeliveryNode } from './harness.js';

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly params?: {
    readonly subscription: string;
    readonly result: { readonly number?: string; readonly logIndex?: string; readonly blockNumber?: string };
    readonly cursor?: string;
  };
}

class Peer {
  readonly messages: Message[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  #changed: () => void = () => undefined;

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      const parsed: Message | readonly Message[] = JSON.parse(data.toString('utf8'));
      this.messages.push(...(Array.isArray(parsed) ? parsed : [parsed]));
      this.#changed();
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString('utf8') };
      this.#changed();
    });
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => (this.#changed = resolve));
  }

  async call(id: number, method: string, ...params: readonly unknown[]): Promise<Message> {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    await this.until(() => this.messages.some((message) => message.id === id));
    const answer = this.messages.find((message) => message.id === id);
    if (answer === undefined) throw new Error('no answer');
    return answer;
  }

  heads(): readonly (string | undefined)[] {
    return this.messages.flatMap(({ params }) => (params?.result.number === undefined ? [] : [params.result.number]));
  }
}

describe.each(['uws', 'node'] as const)('eth_subscribe over sockets (%s)', (preferred) => {
  const open: { readonly server: Server; readonly peers: Peer[] }[] = [];
  afterEach(async () => {
    for (const { server, peers } of open.splice(0)) {
      for (const { socket } of peers) socket.terminate();
      await server.close(false);
    }
  });

  async function start(stallMs: number = DEFAULT_LIMITS.socketStallMs) {
    const node = new DeliveryNode();
    const face = openFace({ subscriptions: node.hub });
    const server = await createServer({
      http: face.rpc.http,
      webSocket: face.rpc.webSocket,
      limits: { bodyBytes: 1_000_000, messageBytes: 1_000_000, webSockets: 100, stallMs },
      timers,
      onDefect: (error) => face.defects.push(error),
      preferred,
    });
    const listening = await server.listen('127.0.0.1', 0);
    if (!listening.ok) throw new Error(listening.code);
    const peers: Peer[] = [];
    open.push({ server, peers });
    const connect = async (): Promise<Peer> => {
      const socket = new WebSocket(`ws://127.0.0.1:${listening.port}/`);
      const peer = new Peer(socket);
      peers.push(peer);
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      return peer;
    };
    return { node, face, connect };
  }

  it('answers, notifies, resumes after a cursor on a new connection, and ends with eth_unsubscribe', async () => {
    const { node, connect } = await start();
    const peer = await connect();
    const { result: id } = await peer.call(1, 'eth_subscribe', 'newHeads', { cursor: true });
    expect(id).toMatch(/^0x[1-9a-f][0-9a-f]*$/u);
    node.mine();
    node.mine();
    await peer.until(() => peer.heads().length === 2);
    expect(peer.messages[1]?.params?.subscription).toBe(id);
    const cursor = peer.messages[1]?.params?.cursor;
    peer.socket.terminate();
    node.mine();
    const again = await connect();
    await again.call(1, 'eth_subscribe', 'newHeads', { cursor });
    await again.until(() => again.heads().length === 2);
    node.mine();
    await again.until(() => again.heads().length === 3);
    expect(again.heads()).toEqual(['0x2', '0x3', '0x4']);
    const { result: other } = await again.call(2, 'eth_subscribe', 'logs', {});
    expect((await again.call(3, 'eth_unsubscribe', other)).result).toBe(true);
    expect((await again.call(4, 'eth_unsubscribe', other)).result).toBe(false);
    expect((await again.call(5, 'eth_unsubscribe', id)).result, 'a connection cannot end what belongs to another').toBe(
      false,
    );
    expect((await again.call(6, 'eth_subscribe', 'newHeads', { cursor: '999999' })).error?.code).toBe(-32602);
  });

  it('subscribes inside a batch: notifications come after the answer of the batch', async () => {
    const { node, connect } = await start();
    const peer = await connect();
    peer.socket.send(
      JSON.stringify([
        { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] },
        { jsonrpc: '2.0', id: 2, method: 'eth_subscribe', params: ['syncing'] },
      ]),
    );
    await peer.until(() => peer.messages.length === 3);
    node.mine();
    await peer.until(() => peer.heads().length === 1);
    expect(peer.messages.map((message) => message.id ?? message.params?.result)).toMatchObject([
      1,
      2,
      false,
      { number: '0x1' },
    ]);
  });

  it('cuts off a client that reads nothing for the stall time, even with little data pending', async () => {
    const { node, connect } = await start(1_000);
    const [slow, good] = [await connect(), await connect()];
    await slow.call(1, 'eth_subscribe', 'logs', {});
    await good.call(1, 'eth_subscribe', 'newHeads');
    slow.socket.pause();
    // Fills the kernel's buffers, then stays below the cut-off limit.
    const specs = Array.from({ length: 200 }, () => ({ address: 1, topic: 1 }));
    for (
      let blocks = 0;
      node.engine.engine.connections() === 2 && blocks < 400 && node.pump.counters().ringCommits === 0;
      blocks += 1
    ) {
      node.mine(specs);
      await good.until(() => good.heads().length === blocks + 1);
    }
    while (node.engine.engine.connections() === 2) await new Promise((resolve) => setImmediate(resolve));
    slow.socket.resume();
    await slow.until(() => slow.closed !== undefined);
    expect(slow.closed).toMatchObject({
      code: 1013,
      reason: expect.stringMatching(/^slow consumer: [0-9]+ bytes pending$/u),
    });
    expect(node.pump.counters().slow, 'not for what waited').toBe(0);
  });

  it('cuts off a client that does not read, with a reason, while the others receive everything', async () => {
    const { node, face, connect } = await start();
    const [slow, good] = [await connect(), await connect()];
    await slow.call(1, 'eth_subscribe', 'logs', {});
    await good.call(1, 'eth_subscribe', 'logs', {});
    await good.call(2, 'eth_subscribe', 'newHeads');
    slow.socket.pause();
    const specs = Array.from({ length: 500 }, () => ({ address: 1, topic: 1 }));
    let blocks = 0;
    while (node.pump.counters().slow === 0 && blocks < 400) {
      node.mine(specs);
      blocks += 1;
      await good.until(() => good.heads().length === blocks);
    }
    expect(node.pump.counters().slow).toBe(1);
    await good.until(() => good.messages.length === 2 + blocks * 501);
    const order = good.messages
      .slice(2)
      .map(({ params }) => params?.result.number ?? `${params?.result.blockNumber}/${params?.result.logIndex}`);
    const expected = Array.from({ length: blocks }, (_, index) => `0x${(index + 1).toString(16)}`).flatMap((number) => {
      const logs = specs.map((_, logIndex) => `${number}/0x${logIndex.toString(16)}`);
      return [logs, number];
    });
    expect(order.filter((text) => !text.includes('/'))).toEqual(expected.filter((text) => typeof text === 'string'));
    expect(order.filter((text) => text.includes('/'))).toEqual(expected.flat().filter((text) => text.includes('/')));
    slow.socket.resume();
    await slow.until(() => slow.closed !== undefined);
    expect(slow.closed).toMatchObject({
      code: 1013,
      reason: expect.stringMatching(/^slow consumer: [0-9]+ bytes pending$/u),
    });
    expect(face.defects).toEqual([]);
    expect(node.defects).toEqual([]);
    expect(DEFAULT_LIMITS.socketCutoffBytes).toBeLessThan(blocks * 500 * 500);
  });
});
