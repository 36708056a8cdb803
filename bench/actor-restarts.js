/**
 * Time from the requested restart of an actor until it accepts commands again, under full load: 10,000 filters,
 * 10,000 subscriptions and 5,000 pending transactions.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { startDaemon } from '../build/node/daemon.js';
import { createLogger } from '../build/node/logger.js';
import { median } from './figures.js';
import { optionsOf } from './node-options.js';
import { signedSends } from './signed-sends.js';

const FILTERS = 10_000;
const FILTERS_PER_CLIENT = 1_000;
const CONNECTIONS = 10;
const SUBSCRIPTIONS_PER_CONNECTION = 1_000;
const SENDERS = 3;
const WAITING_PER_SENDER = 1_666;
const RESTARTS = 5;

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const home = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  const daemon = await startDaemon(optionsOf(home, { kind: 'manual' }), await createLogger('error', 'plain'));
  const { node, faces } = daemon;
  try {
    await node.consensus.mine();
    await createFilters(node);
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => subscribe(faces.ports.eth_ws)));
    await fillPool(node);
    const figures = [];
    for (const actor of ['filterManager', 'subscriptionRegistry', 'mempool', 'upgradeKeeper', 'consensus'])
      figures.push({ name: `restart of ${actor}`, value: await restart(node, actor), unit: 'ms' });
    for (const socket of sockets) socket.terminate();
    return [
      { name: 'filters', value: node.filters.counters().filters, unit: '' },
      { name: 'subscriptions', value: node.subscriptions.counters().faces.ethereum.subscriptions, unit: '' },
      { name: 'waiting transactions', value: node.mempool.view.pending, unit: '' },
      ...figures,
    ];
  } finally {
    await daemon.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function createFilters(node) {
  for (let made = 0; made < FILTERS; made += FILTERS_PER_CLIENT) {
    const client = `client ${made}`;
    const asked = Array.from({ length: FILTERS_PER_CLIENT }, () =>
      node.ethereum.api.filters.create({ kind: 'blocks' }, client),
    );
    for (const outcome of await Promise.all(asked)) if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  }
}

/** A connection with its subscriptions. */
function subscribe(port) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  return new Promise((resolve, reject) => {
    let answers = 0;
    socket.on('error', reject);
    socket.on('open', () => {
      for (let id = 0; id < SUBSCRIPTIONS_PER_CONNECTION; id += 1)
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: ['newHeads'] }));
    });
    socket.on('message', () => {
      answers += 1;
      if (answers === SUBSCRIPTIONS_PER_CONNECTION) resolve(socket);
    });
  });
}

async function fillPool(node) {
  for (let sender = 0; sender < SENDERS; sender += 1) {
    for (const { body } of signedSends(sender, 0, WAITING_PER_SENDER)) {
      const tx = Uint8Array.from(Buffer.from(JSON.parse(body).params.tx, 'base64'));
      const outcome = await node.mempool.broadcast(tx);
      if (!outcome.ok || outcome.value.code !== 0) throw new Error(JSON.stringify(outcome));
    }
  }
}

/** Median of several restarts, milliseconds. */
async function restart(node, actor) {
  const times = [];
  for (let count = 0; count < RESTARTS; count += 1) {
    const begin = performance.now();
    await node.supervisor.restart(actor);
    times.push(performance.now() - begin);
  }
  return median(times);
}
