/** From spawn to the first answer of an HTTP face, and the resident memory of an idle node. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { median } from './figures.js';
import { openConnection } from './http.js';
import { startNodeProcess } from './node-client.js';

const STARTS = 5;

/** Resident bytes of a process that only imports `module`. */
async function residentAfterImport(module) {
  const code = `${module === undefined ? '' : `await import(${JSON.stringify(module)});`} globalThis.gc(); process.send(process.memoryUsage().rss);`;
  const child = fork(fileURLToPath(new URL('evaluate.js', import.meta.url)), [code], { execArgv: ['--expose-gc'] });
  const [resident] = await once(child, 'message');
  child.kill();
  return resident;
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const starts = [];
  for (let start = 0; start < STARTS; start += 1) {
    const node = await startNodeProcess('manual');
    const connection = await openConnection(node.url);
    await connection.call('status', {});
    starts.push(performance.timeOrigin + performance.now() - node.spawnedAt);
    connection.close();
    await node.stop();
  }
  const node = await startNodeProcess('manual');
  await node.mine(1);
  const fresh = await node.usage(true);
  await node.mine(1_000);
  const later = await node.usage(true);
  await node.stop();
  const bare = await residentAfterImport(undefined);
  const imported = await residentAfterImport(new URL('../dist/node/daemon.js', import.meta.url).href);
  return [
    { name: 'spawn to first answer, new home, median (goal 900)', value: median(starts), unit: 'ms' },
    { name: 'resident, Node alone', value: bare / 1e6, unit: 'MB' },
    { name: 'resident, all modules imported', value: imported / 1e6, unit: 'MB' },
    { name: 'resident, idle node after one block (goal 150)', value: fresh.rss / 1e6, unit: 'MB' },
    { name: 'resident, idle node after 1,000 blocks (goal 150)', value: later.rss / 1e6, unit: 'MB' },
    { name: 'of that, heap of the main thread', value: later.heapUsed / 1e6, unit: 'MB' },
  ];
}
