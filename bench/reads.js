/** Point reads (getSync) of the database: alone, and during range reads and synced batches. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLevelStore } from '../build/store/leveldb/level-store.js';
import { crypto } from './chain-events.js';
import { quantile, timed, timedAsync } from './figures.js';

const ROWS = 100_000;
const READS = 20_000;
const SLICE = 200;

const keyOf = (index) => crypto.sha256(Uint8Array.of(index, index >>> 8, index >>> 16));

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  const store = await openLevelStore(join(folder, 'chronicle.db'), { create: true });
  const value = new Uint8Array(100).fill(7);
  for (let first = 0; first < ROWS; first += 1_000) {
    await store.commit(
      Array.from({ length: 1_000 }, (_, index) => ({ type: 'put', key: keyOf(first + index), value })),
      { sync: false },
    );
  }
  const keys = Array.from({ length: READS }, (_, index) => keyOf((index * 7_919) % ROWS));
  const absent = keys.map((key) => key.map((byte) => byte ^ 255));
  const readAll = (wanted) => timed(() => wanted.forEach((key) => store.get(key)));
  readAll(keys);
  const alone = readAll(keys);
  const missing = readAll(absent);

  let loading = true;
  const end = new Uint8Array(33).fill(255);
  let ranges = 0;
  let syncs = 0;
  const syncTimes = [];
  const scanning = [0, 1].map(async () => {
    for (let start = 0; loading; start += 1, ranges += 1)
      await store.range({ start: keyOf(start).subarray(0, 1), end, limit: 1_000 });
  });
  const writing = (async () => {
    for (; loading; syncs += 1)
      syncTimes.push(await timedAsync(() => store.commit([{ type: 'put', key: keyOf(syncs), value }], { sync: true })));
  })();
  const slices = [];
  for (let first = 0; first < READS; first += SLICE) {
    slices.push(readAll(keys.slice(first, first + SLICE)) / SLICE);
    await new Promise((resolve) => setImmediate(resolve));
  }
  loading = false;
  await Promise.all([...scanning, writing]);
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  const idle = (alone * 1_000) / READS;
  const loaded = quantile(slices, 0.5) * 1_000;
  return [
    { name: 'getSync of a row, alone', value: idle, unit: 'us' },
    { name: 'getSync of an absent row, alone', value: (missing * 1_000) / READS, unit: 'us' },
    { name: 'getSync under load (2 ranges, synced batches), median', value: loaded, unit: 'us' },
    { name: 'getSync under load, 99 of 100', value: quantile(slices, 0.99) * 1_000, unit: 'us' },
    { name: 'under load / alone', value: loaded / idle, unit: 'x' },
    { name: 'synced batch beside 2 ranges, median', value: quantile(syncTimes, 0.5), unit: 'ms' },
    { name: 'synced batch beside 2 ranges, longest', value: quantile(syncTimes, 1), unit: 'ms' },
  ];
}
