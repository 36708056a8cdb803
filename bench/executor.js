/**
 * A round trip from the main thread to the executor thread, compared with the same call without a thread; and the
 * cost of blocks in the executor.
 */
import { createInProcessExecutor, createWorkerExecutor } from '../build/runtime/executor/executor.js';
import { createHostCrypto } from '../build/runtime/host/crypto.js';
import { toHeight } from '../build/core/primitives.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLevelStore } from '../build/store/leveldb/level-store.js';
import { stateValues } from '../build/runtime/executor/state-values.js';
import { blockFigures } from './executor-blocks.js';
import { median } from './figures.js';

const CALLS = 3_000;

/** `genesis` without writes does nothing, so it costs only its transport. */
async function roundTrips(executor, writes) {
  const samples = [];
  for (let call = 0; call < CALLS; call += 1) {
    const start = performance.now();
    await executor.genesis(writes);
    samples.push(performance.now() - start);
  }
  return median(samples.slice(CALLS / 2)) * 1_000;
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const crypto = await createHostCrypto();
  const folder = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  const location = join(folder, 'chronicle.db');
  const store = await openLevelStore(location, { create: true });
  const options = {
    preset: 'chronicle',
    chain: { chainId: 'chronicle_271828-1', bech32Prefix: 'chron' },
    handlers: [],
    skipUpgradeHeights: [toHeight(9n)],
  };
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const spawning = performance.now();
  const worker = createWorkerExecutor();
  await worker.open(options, location);
  const opened = performance.now() - spawning;
  const threadBytes = process.memoryUsage().rss - before;
  const inProcess = createInProcessExecutor(crypto, async () => stateValues(store));
  await inProcess.open(options, location);
  const threaded = await roundTrips(worker, []);
  const direct = await roundTrips(inProcess, []);
  await worker.stop();
  await inProcess.stop();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  return [
    { name: 'round trip to the executor thread, median', value: threaded, unit: 'us' },
    { name: 'the same in process, median', value: direct, unit: 'us' },
    { name: 'thread / in process', value: threaded / direct, unit: 'x' },
    { name: 'starting and opening the thread', value: opened, unit: 'ms' },
    { name: 'resident memory of the thread', value: threadBytes / 1e6, unit: 'MB' },
    ...(await blockFigures(crypto)),
  ];
}
