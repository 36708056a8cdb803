/**
 * Sustained rate of 5,000 transfers of one sender in batches of 100, our node compared with anvil, and the processor
 * time of our threads.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { openConnection } from './http.js';
import { row } from './ethereum/compare.js';
import { startPeers } from './ethereum/peers.js';
import { fromGenesis, receiptOf, sendBatch, transfer } from './ethereum/transactions.js';

const BATCH = 100;
const PARTS = 5;
const BATCHES_PER_PART = 10;
const TICK_US = 10_000;

/** Processor time of each thread of a process in microseconds, by thread id; the main thread comes first. */
function threads(pid) {
  return new Map(
    readdirSync(`/proc/${pid}/task`).map((id) => {
      const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [id, (Number(fields[11]) + Number(fields[12])) * TICK_US];
    }),
  );
}

/** Sends the batches of a part, each after the last one is mined. Resolves with transactions per second. */
async function perSecond(connection, batches) {
  const start = performance.now();
  for (const batch of batches) {
    await sendBatch(connection, batch);
    await receiptOf(connection, batch.at(-1).hash);
  }
  return (batches.length * BATCH) / ((performance.now() - start) / 1_000);
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  fromGenesis();
  const peers = await startPeers();
  const [ours] = peers;
  const connections = new Map();
  for (const peer of peers) connections.set(peer.name, await openConnection(peer.url));
  const figures = [];
  for (let part = 1; part <= PARTS; part += 1) {
    const batches = Array.from({ length: BATCHES_PER_PART }, () => Array.from({ length: BATCH }, () => transfer(1)));
    const count = BATCHES_PER_PART * BATCH;
    const rates = new Map();
    let cpu = new Map();
    for (const peer of peers) {
      const before = threads(peer.pid);
      rates.set(peer.name, await perSecond(connections.get(peer.name), batches));
      if (peer === ours)
        cpu = new Map([...threads(peer.pid)].map(([id, used]) => [id, (used - (before.get(id) ?? 0)) / count]));
    }
    const name = `transfers ${(part - 1) * count + 1} to ${part * count}`;
    figures.push(row(`${name}, batches of ${BATCH}`, '1/s', 'more', rates.get('ours'), rates.get('anvil')));
    if (part === PARTS) {
      const main = String(ours.pid);
      const others = [...cpu].filter(([id]) => id !== main).map(([, used]) => used);
      figures.push(
        { name: `${name}: CPU of main each`, value: cpu.get(main) ?? 0, unit: 'us' },
        {
          name: `${name}: CPU of the busiest other thread each (the executor)`,
          value: Math.max(...others),
          unit: 'us',
        },
      );
    }
  }
  for (const connection of connections.values()) connection.close();
  await Promise.all(peers.map((peer) => peer.stop()));
  return figures;
}
