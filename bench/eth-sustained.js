/** What a daemon keeps up once its code is warm: 10,000 transfers of one sender in batches of 100, and the processor time of its threads. */
import { readdirSync, readFileSync } from 'node:fs';
import { openConnection } from './http.js';
import { startOurs } from './ethereum/peers.js';
import { fromGenesis, receiptOf, sendBatch, transfer } from './ethereum/transactions.js';

const BATCH = 100;
const PARTS = 5;
const BATCHES_PER_PART = 20;
const TICK_US = 10_000;

/** Microseconds of processor time of each thread of a process, by thread id; the first is main. */
function threads(pid) {
  return new Map(readdirSync(`/proc/${pid}/task`).map((id) => {
    const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [id, (Number(fields[11]) + Number(fields[12])) * TICK_US];
  }));
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  fromGenesis();
  const ours = await startOurs();
  const connection = await openConnection(ours.url);
  const figures = [];
  for (let part = 1; part <= PARTS; part += 1) {
    const batches = Array.from({ length: BATCHES_PER_PART }, () => Array.from({ length: BATCH }, () => transfer(1)));
    const count = BATCHES_PER_PART * BATCH;
    const before = threads(ours.pid);
    const start = performance.now();
    for (const batch of batches) {
      await sendBatch(connection, batch);
      await receiptOf(connection, batch.at(-1).hash);
    }
    const elapsed = performance.now() - start;
    const after = threads(ours.pid);
    const used = (id) => (after.get(id) ?? 0) - (before.get(id) ?? 0);
    const [executor] = [...after.keys()].filter((id) => id !== String(ours.pid)).sort((a, b) => used(b) - used(a));
    const name = `transfers ${(part - 1) * count + 1} to ${part * count}`;
    figures.push({ name: `${name}, batches of ${BATCH}`, value: count / (elapsed / 1_000), unit: '1/s' });
    if (part === PARTS) {
      figures.push(
        { name: `${name}: CPU of main each`, value: used(String(ours.pid)) / count, unit: 'us' },
        { name: `${name}: CPU of the busiest other thread each (the executor)`, value: used(executor) / count, unit: 'us' },
      );
    }
  }
  connection.close();
  await ours.stop();
  return figures;
}
