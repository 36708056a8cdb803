/**
 * Delivery of one block's header and logs to 1,000 WebSocket subscribers: processor time for each delivery and memory
 * for each subscriber.
 */
import { once } from 'node:events';
import WebSocket from 'ws';
import { openConnection } from './http.js';
import { compare, row } from './ethereum/compare.js';
import { residentBytes, startPeers } from './ethereum/peers.js';
import { perform, sendRequest, sign, transfer, worker } from './ethereum/transactions.js';

const SUBSCRIBERS = 1_000;
const LOGS = 20;
const ROUNDS = 5;

/**
 * Opens the sockets and subscribes each. `received(count)` resolves when that many notifications have arrived since
 * its last call.
 */
async function subscribers(peer, params) {
  let arrived = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let all = () => undefined;
  const sockets = [];
  for (let first = 0; first < SUBSCRIBERS; first += 100) {
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: 100 }, async () => {
          const socket = new WebSocket(peer.ws, { perMessageDeflate: false });
          await once(socket, 'open');
          const answer = once(socket, 'message');
          socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
          const { error } = JSON.parse(String((await answer)[0]));
          if (error !== undefined) throw new Error(`${peer.name}: ${JSON.stringify(error)}`);
          socket.on('message', () => {
            arrived += 1;
            if (arrived === wanted) all();
          });
          return socket;
        }),
      )),
    );
  }
  return {
    received: (count) =>
      new Promise((resolve) => {
        wanted = count;
        arrived = 0;
        all = resolve;
      }),
    close: () => sockets.forEach((socket) => socket.terminate()),
  };
}

async function deliveries(peers, connections, params, perSubscriber, signOne) {
  const memory = new Map();
  const held = new Map();
  for (const peer of peers) {
    const before = residentBytes(peer);
    held.set(peer.name, await subscribers(peer, params));
    memory.set(peer.name, (residentBytes(peer) - before) / SUBSCRIBERS / 1_000);
  }
  const signed = [];
  const compared = await compare(peers, { rounds: ROUNDS, warm: 2 }, async (peer, round) => {
    const one = (signed[round] ??= signOne());
    const count = SUBSCRIBERS * perSubscriber;
    const all = held.get(peer.name).received(count);
    const { error } = await connections.get(peer.name).send(sendRequest(one));
    if (error !== undefined) throw new Error(`${peer.name} refused: ${JSON.stringify(error)}`);
    await all;
    return count;
  });
  for (const { close } of held.values()) close();
  return { compared, memory };
}

function rows(name, { compared, memory }) {
  const [ours, anvil] = [compared.get('ours'), compared.get('anvil')];
  return [
    row(
      `${name}: CPU of a delivery, its block included`,
      'us',
      'less',
      ours.cpu * 1_000,
      anvil && anvil.cpu * 1_000,
      'ratio 0.5',
    ),
    row(`${name}: delivered, the client's time included`, '1/s', 'more', ours.rate, anvil?.rate),
    row(`${name}: memory of a subscriber`, 'kB', 'less', memory.get('ours'), memory.get('anvil')),
  ];
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const peers = await startPeers();
  const connections = new Map();
  const busy = worker.deploy(0);
  for (const peer of peers) {
    const connection = await openConnection(peer.url);
    connections.set(peer.name, connection);
    await perform(connection, [busy]);
  }
  const heads = await deliveries(peers, connections, ['newHeads'], 1, () => transfer(1));
  const logs = await deliveries(peers, connections, ['logs', { address: busy.address }], LOGS, () =>
    sign(2, { to: busy.address, gas: 2_000_000n, data: worker.call('emitMany', [BigInt(LOGS)]) }),
  );
  for (const connection of connections.values()) connection.close();
  await Promise.all(peers.map((peer) => peer.stop()));
  return [...rows(`newHeads to ${SUBSCRIBERS}`, heads), ...rows(`${LOGS} logs to ${SUBSCRIBERS}`, logs)];
}
