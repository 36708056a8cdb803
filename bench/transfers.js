/**
 * MsgSend over HTTP to a node in another process: transactions admitted and committed per second with 1 and 16
 * senders, each of which waits for an answer before the next request, and the time until a single one is visible.
 */
import WebSocket from 'ws';
import { once } from 'node:events';
import { durableWrite, median, quantile } from './figures.js';
import { openConnection } from './http.js';
import { startNodeProcess } from './node-client.js';
import { signedSends } from './signed-sends.js';

const PER_SENDER = { 1: 1_000, 16: 250 };
const SERIAL = 300;
/**
 * Milliseconds after which a part ends, so that a slow machine gives fewer samples instead of a longer run.
 */
const PART = 15_000;

async function throughput(url, senders, first) {
  const count = PER_SENDER[senders];
  const sets = Array.from({ length: senders }, (_, index) => signedSends(first + index, 0, count));
  const connections = await Promise.all(sets.map(() => openConnection(url)));
  const last = [];
  let total = 0;
  const start = performance.now();
  await Promise.all(
    sets.map(async (txs, index) => {
      for (const { body, hash } of txs) {
        if (performance.now() - start > PART) break;
        const { result, error } = await connections[index].send(body);
        if (error !== undefined || result.code !== 0) throw new Error(`refused: ${JSON.stringify(error ?? result)}`);
        last[index] = hash;
        total += 1;
      }
    }),
  );
  const admitted = performance.now() - start;
  for (const hash of last) await visible(connections[0], hash);
  const committed = performance.now() - start;
  for (const connection of connections) connection.close();
  return { total, admitted: (total * 1_000) / admitted, committed: (total * 1_000) / committed };
}

/** Polls until the transaction is found. */
async function visible(connection, hash) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tx',
    params: { hash: hash.toString('base64'), prove: false },
  });
  for (;;) {
    const { result } = await connection.send(body);
    if (result !== undefined) return result;
  }
}

/** One transaction at a time: milliseconds from sending until its Tx event, and until /tx returns it. */
async function serial(url, sender) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`);
  await once(socket, 'open');
  const subscribed = once(socket, 'message');
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='Tx'" } }));
  await subscribed;
  const connection = await openConnection(url);
  const answered = [];
  const notified = [];
  const begun = performance.now();
  for (const { body } of signedSends(sender, 0, SERIAL)) {
    if (performance.now() - begun > PART) break;
    const event = once(socket, 'message');
    const start = performance.now();
    const { result } = await connection.send(body);
    if (result?.code !== 0) throw new Error(`refused: ${JSON.stringify(result)}`);
    answered.push(performance.now() - start);
    await event;
    notified.push(performance.now() - start);
  }
  socket.terminate();
  const found = [];
  const again = performance.now();
  for (const { body, hash } of signedSends(sender, notified.length, SERIAL)) {
    if (performance.now() - again > PART) break;
    const start = performance.now();
    await connection.send(body);
    await visible(connection, hash);
    found.push(performance.now() - start);
  }
  connection.close();
  // The first third is the warm-up.
  const warm = (samples) => samples.slice(Math.floor(samples.length / 3));
  return { answered: warm(answered), notified: warm(notified), found: warm(found) };
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const node = await startNodeProcess('instant');
  // Before the first block, the SDK's rule for genesis transactions holds: all signers have account number 0.
  await node.mine(1);
  const latency = await serial(node.url, 19);
  const before = await node.usage();
  const one = await throughput(node.url, 1, 18);
  const between = await node.usage();
  const many = await throughput(node.url, 16, 0);
  const after = await node.usage();
  const cpu = (from, to, count) => (to.user + to.system - from.user - from.system) / count;
  await node.stop();
  const disk = durableWrite();
  return [
    { name: 'one write of 4 kB and fdatasync on this disk, median', value: disk, unit: 'ms' },
    { name: 'broadcast_tx_sync answered, serial, median', value: median(latency.answered), unit: 'ms' },
    { name: 'broadcast to Tx event, serial, median', value: median(latency.notified), unit: 'ms', goal: '2' },
    { name: 'broadcast to Tx event / fdatasync alone', value: median(latency.notified) / disk, unit: 'x' },
    { name: 'broadcast to Tx event, serial, 95 of 100', value: quantile(latency.notified, 0.95), unit: 'ms' },
    { name: 'broadcast until /tx finds it, serial, median', value: median(latency.found), unit: 'ms', goal: '2' },
    { name: 'MsgSend admitted, 1 sender', value: one.admitted, unit: '1/s' },
    { name: 'MsgSend committed, 1 sender', value: one.committed, unit: '1/s' },
    { name: 'CPU of the node per MsgSend, 1 sender', value: cpu(before, between, one.total), unit: 'ms' },
    { name: 'MsgSend admitted, 16 senders', value: many.admitted, unit: '1/s' },
    { name: 'MsgSend committed, 16 senders', value: many.committed, unit: '1/s', goal: '1,500' },
    { name: 'CPU of the node per MsgSend, 16 senders', value: cpu(between, after, many.total), unit: 'ms' },
    { name: '16 senders / 1 sender', value: many.committed / one.committed, unit: 'x' },
  ];
}
