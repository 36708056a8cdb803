/** After its clients disconnect, a node has as many sockets, threads, subscriptions and filters as before. */
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startDaemonProcess, type DaemonProcess } from '../support/daemon.js';
import { callEthereum } from './ethereum-client.js';

const CLIENTS = 40;
const ROUNDS = 3;

interface Held {
  readonly sockets: number;
  readonly threads: number;
  readonly counts: readonly string[] | null;
}

/** Open sockets and threads of a process, and the clients and subscriptions that it counts. */
async function held({ pid, endpoints }: DaemonProcess): Promise<Held> {
  const sockets = readdirSync(`/proc/${pid}/fd`).filter((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`).startsWith('socket:');
    } catch {
      // closed in the meantime
      return false;
    }
  });
  const metrics = await (
    await fetch(`${endpoints.metrics ?? ''}/metrics`, { headers: { connection: 'close' } })
  ).text();
  const counts = metrics.match(/^chronicle_(?:comet|eth)_ws_\w+ .*$/gm);
  return { sockets: sockets.length, threads: readdirSync(`/proc/${pid}/task`).length, counts };
}

/** Opens WebSockets with subscriptions, keep-alive connections, and requests that are aborted; all of them end. */
async function clients({ endpoints }: DaemonProcess): Promise<void> {
  const { comet, eth_ws: ethereumWs = '', eth_http: ethereum = '', rest = '' } = endpoints;
  const sockets = Array.from({ length: CLIENTS }, (_, at) => {
    const isEthereum = at % 2 === 0;
    const socket = new WebSocket(isEthereum ? ethereumWs : `${comet.replace('http', 'ws')}/websocket`);
    const subscribe = isEthereum
      ? { method: 'eth_subscribe', params: [at % 4 === 0 ? 'newHeads' : 'logs'] }
      : { method: 'subscribe', params: { query: `tm.event='NewBlock'` } };
    socket.once('open', () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: at, ...subscribe })));
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'message')));
  const agent = new Agent({ keepAlive: true });
  const kept = [`${rest}/cosmos/base/tendermint/v1beta1/blocks/latest`, `${comet}/status`].flatMap((url) =>
    Array.from({ length: CLIENTS / 2 }, async () => {
      const [response] = await once(get(url, { agent }), 'response');
      response.resume();
      await once(response, 'end');
    }),
  );
  await Promise.all(kept);
  const filter = await callEthereum<string>(ethereum, 'eth_newBlockFilter', []);
  await callEthereum(ethereum, 'anvil_mine', ['0x5']);
  await callEthereum(ethereum, 'eth_uninstallFilter', [filter]);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [{ fromBlock: '0x1' }] });
  const { hostname, port } = new URL(ethereum);
  const aborted = Array.from({ length: CLIENTS }, async (_, at) => {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const length = at % 2 === 0 ? body.length : body.length + 10;
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${body}`);
    socket.destroy();
    await once(socket, 'close');
  });
  await Promise.all(aborted);
  agent.destroy();
  const closed = sockets.map((socket) => once(socket, 'close'));
  // Half of them close the connection cleanly.
  for (const [at, socket] of sockets.entries()) {
    if (at % 4 < 2) socket.close();
    else socket.terminate();
  }
  await Promise.all(closed);
}

it.skipIf(!existsSync('/proc/self/fd'))(
  `a node keeps no resource of ${ROUNDS * CLIENTS * 4} closed connections`,
  async () => {
    const daemon = await startDaemonProcess({ args: ['--mining', 'manual'] });
    const { sockets, counts } = await held(daemon);
    expect(counts, 'the metrics of clients and subscriptions').toContain('chronicle_comet_ws_clients 0');
    // Threads that start for the first client are kept.
    await clients(daemon);
    const { threads } = await held(daemon);
    for (let round = 0; round < ROUNDS; round += 1) await clients(daemon);
    await vi.waitFor(async () => expect(await held(daemon)).toEqual({ sockets, threads, counts }), {
      timeout: 20_000,
      interval: 100,
    });
    await daemon.kill('SIGTERM');
  },
  60_000,
);
