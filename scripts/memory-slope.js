/**
 * Memory of a node under a steady load: `node scripts/memory-slope.js [seconds]`, by default ten minutes. Needs `npm
 * run build` and `npx tsc -p tsconfig.build.json`. Each sample collects garbage first, so that what remains is held by
 * something; the slope is that of the second half, by least squares, in MiB for each minute.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openConnection } from '../bench/http.js';
import { fromGenesis, receiptOf, request, sendBatch, transfer } from '../bench/ethereum/transactions.js';
import { startNodeProcess } from '../bench/node-client.js';

const [seconds = '600'] = process.argv.slice(2);
const SAMPLES = 20;
const BATCH = 16;
const MIB = 1024 * 1024;
const KINDS = ['heapUsed', 'external', 'arrayBuffers', 'rss'];

const node = await startNodeProcess('instant');
const connection = await openConnection(node.ethereumUrl);
fromGenesis();
const every = (Number(seconds) * 1_000) / SAMPLES;
const samples = [];
let blocks = 0;
let isOver = false;

/** Transfers, queries, and filters that are polled and left to expire or removed. */
async function load() {
  while (!isOver) {
    const signed = Array.from({ length: BATCH }, (_, account) => transfer(account));
    await sendBatch(connection, signed);
    await receiptOf(connection, signed.at(-1).hash);
    const filter = await connection.call('eth_newFilter', [{ fromBlock: 'latest' }]);
    await connection.call('eth_getFilterChanges', [filter]);
    await connection.call('eth_uninstallFilter', [filter]);
    await connection.send(
      request('eth_getLogs', [{ fromBlock: '0x1', toBlock: 'latest', address: `0x${'11'.repeat(20)}` }]),
    );
    await connection.call('eth_getBlockByNumber', ['latest', true]);
    blocks += 1;
    await delay(10);
  }
}

/** MiB for each minute, by least squares. */
function slope(points) {
  const mean = (pick) => points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [x, y] = [mean((point) => point.minutes), mean((point) => point.value)];
  const over = points.reduce((sum, point) => sum + (point.minutes - x) * (point.value - y), 0);
  return over / points.reduce((sum, point) => sum + (point.minutes - x) ** 2, 0);
}

const loaded = load();
const start = performance.now();
for (let sample = 0; sample < SAMPLES; sample += 1) {
  await Promise.race([delay(every), loaded]);
  const usage = await node.usage(true);
  const minutes = (performance.now() - start) / 60_000;
  samples.push({ minutes, ...usage });
  const shown = KINDS.map((kind) => `${kind} ${(usage[kind] / MIB).toFixed(1)}`).join(', ');
  process.stdout.write(`${minutes.toFixed(2)} min, ${blocks} rounds of ${BATCH} transfers: ${shown} MiB\n`);
}
isOver = true;
await loaded;
const late = samples.slice(SAMPLES / 2);
for (const kind of KINDS) {
  const points = late.map((sample) => ({ minutes: sample.minutes, value: sample[kind] / MIB }));
  process.stdout.write(`slope of ${kind}: ${slope(points).toFixed(2)} MiB a minute\n`);
}
connection.close();
await node.stop();
