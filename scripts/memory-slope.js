/**
 * Memory of a node under a steady load: `node scripts/memory-slope.js [seconds] [heaps]`, by default for ten minutes.
 * Needs `npm run build` and `npx tsc -p tsconfig.build.json`. Garbage of the main thread is collected before each
 * sample, so that only referenced memory counts. Prints the heap of the main thread, memory outside of it, and
 * resident memory by kind of mapping (Linux). Also prints the slope of each in the second half, by least squares, in
 * MiB per minute and per 10,000 transactions. With `heaps` it lists what grew on the heap of each thread in that
 * half; a heap snapshot itself adds to resident memory.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openConnection } from '../bench/http.js';
import { accounts, fromGenesis, receiptOf, request, sendBatch, transfer } from '../bench/ethereum/transactions.js';
import { startNodeProcess } from '../bench/node-client.js';
import { bytesOf, growth, objectsOf, residentParts } from './memory-parts.js';

const [seconds = '600', kind] = process.argv.slice(2);
const SAMPLES = 20;
const BATCH = 48;
const MIB = 1024 * 1024;
const KINDS = ['heapUsed', 'external', 'arrayBuffers', 'rss', 'tables', 'programs', 'anonymous'];

const node = await startNodeProcess('instant');
const connection = await openConnection(node.ethereumUrl);
fromGenesis();
const every = (Number(seconds) * 1_000) / SAMPLES;
const samples = [];
let blocks = 0;
let isOver = false;

/** Sends transfers and queries, and creates filters that are polled and then removed or left to expire. */
async function load() {
  while (!isOver) {
    const signed = Array.from({ length: BATCH }, (_, index) => transfer(index % accounts.length));
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

/** Slope of `y` over `x`, by least squares. */
function slope(points) {
  const mean = (pick) => points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const over = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  return over / points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
}

const folder = mkdtempSync(join(tmpdir(), 'chronicle-memory-'));

/** Heap objects of each thread. */
async function heaps() {
  return (await node.snapshot(folder)).map((file) => objectsOf(file));
}

const isWithHeaps = kind === 'heaps';
let middle = [];
const loaded = load();
const start = performance.now();
for (let sample = 0; sample < SAMPLES; sample += 1) {
  await Promise.race([delay(every), loaded]);
  const usage = { ...(await node.usage(true)), ...residentParts(node.child.pid) };
  const minutes = (performance.now() - start) / 60_000;
  samples.push({ minutes, transactions: blocks * BATCH, ...usage });
  if (isWithHeaps && sample === SAMPLES / 2 - 1) middle = await heaps();
  const shown = KINDS.map((kind) => `${kind} ${(usage[kind] / MIB).toFixed(1)}`).join(', ');
  process.stdout.write(`${minutes.toFixed(2)} min, ${blocks} rounds of ${BATCH} transfers: ${shown} MiB\n`);
}
isOver = true;
await loaded;
const late = samples.slice(SAMPLES / 2);
for (const kind of KINDS) {
  const [aMinute, transactions] = [(sample) => sample.minutes, (sample) => sample.transactions / 10_000].map((x) =>
    slope(late.map((sample) => ({ x: x(sample), y: sample[kind] / MIB }))).toFixed(2),
  );
  process.stdout.write(`slope of ${kind}: ${aMinute} MiB a minute, ${transactions} MiB for 10,000 transactions\n`);
}
for (const [thread, objects] of (isWithHeaps ? await heaps() : []).entries()) {
  const before = middle[thread] ?? new Map();
  process.stdout.write(
    `heap of ${thread === 0 ? 'main' : `worker ${thread}`}: ${(bytesOf(before) / MIB).toFixed(1)}, then ${(bytesOf(objects) / MIB).toFixed(1)} MiB\n`,
  );
  for (const { name, count, bytes } of growth(before, objects))
    process.stdout.write(`  ${(bytes / 1_024).toFixed(0)} KiB, ${count} objects: ${name}\n`);
}
connection.close();
await node.stop();
rmSync(folder, { recursive: true, force: true });
