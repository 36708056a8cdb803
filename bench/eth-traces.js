/** Opcode logs of a transaction with a million steps: time, processor time and memory, compared with anvil's. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { openConnection } from './http.js';
import { compare, row, timeRows } from './ethereum/compare.js';
import { residentBytes, startPeers } from './ethereum/peers.js';
import { deployment, perform, receiptOf, request, sendRequest, sign } from './ethereum/transactions.js';

const ROUNDS = 142_857;
/** JUMPDEST, PUSH1, SWAP1, SUB, DUP1, PUSH1, JUMPI, with PUSH3 before them and STOP after them. */
const STEPS = ROUNDS * 7 + 2;
const RUNTIME = `62${ROUNDS.toString(16).padStart(6, '0')}5b600190038060045700`;
const LOOP = `0x600e600c600039600e6000f3${RUNTIME}`;
/** Milliseconds between two readings of a peer's memory. */
const LOOK = 20;
const MEBIBYTE = 1024 * 1024;

/** Posts a request and reads the answer without keeping it. @returns {Promise<number>} its bytes */
async function drain(url, body) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  socket.write(
    `POST / HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  let bytes = 0;
  let tail = '';
  for await (const piece of socket) {
    bytes += piece.length;
    tail = (tail + piece.subarray(-64).toString('latin1')).slice(-64);
    if (/\}(\r\n0)?\r\n\r\n$|\}\}$/.test(tail)) break;
  }
  socket.destroy();
  if (!/\}\}/.test(tail)) throw new Error(`the answer ends with ${JSON.stringify(tail)}`);
  return bytes;
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const peers = await startPeers({ keepsSteps: true });
  const bodies = new Map();
  const loop = deployment(0, LOOP, 200_000n);
  const one = sign(1, { to: loop.address, gas: 10_000_000n });
  for (const peer of peers) {
    const connection = await openConnection(peer.url);
    await perform(connection, [loop]);
    await connection.send(sendRequest(one));
    if ((await receiptOf(connection, one.hash)).status !== '0x1') throw new Error('the loop failed');
    bodies.set(peer.name, request('debug_traceTransaction', [one.hash]));
    connection.close();
  }
  const most = new Map(peers.map((peer) => [peer.name, { before: residentBytes(peer), most: 0 }]));
  const answers = new Map();
  const compared = await compare(peers, { rounds: 5 }, async (peer) => {
    const seen = most.get(peer.name);
    const look = setInterval(() => {
      seen.most = Math.max(seen.most, residentBytes(peer));
    }, LOOK);
    const read = await drain(peer.url, bodies.get(peer.name));
    answers.set(peer.name, read / MEBIBYTE);
    clearInterval(look);
    return 1;
  });
  const grown = (name) => {
    const seen = most.get(name);
    return seen && (seen.most - seen.before) / MEBIBYTE;
  };
  await Promise.all(peers.map((peer) => peer.stop()));
  const name = `debug_traceTransaction, ${STEPS.toLocaleString('en')} steps`;
  return [
    ...timeRows(name, compared),
    row(`${name}: resident memory beyond that at rest`, 'MiB', 'less', grown('ours'), grown('anvil')),
    row(`${name}: answer`, 'MiB', 'less', answers.get('ours'), answers.get('anvil')),
  ];
}
