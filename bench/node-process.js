/**
 * A node in its own process, controlled by its parent over IPC: `{kind: 'mine', blocks}`, `{kind: 'usage'}`, `{kind:
 * 'snapshot', folder}`, which writes the heap of each thread, and `{kind: 'stop'}`. It mines on request or, with the
 * argument `instant`, when a transaction waits. A second argument names its home; without it the home is temporary.
 * `CHRONICLED_BENCH_EXEC_ARGV=--cpu-prof` profiles it.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { getHeapSnapshot } from 'node:v8';
import { startDaemon } from '../build/node/daemon.js';
import { createLogger } from '../build/node/logger.js';
import { optionsOf } from './node-options.js';

const [, , kind, given] = process.argv;
const home = given ?? mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
const mining = kind === 'instant' ? { kind: 'instant', heartbeatMs: undefined } : { kind: 'manual' };
const workers = new Set();
process.on('worker', (worker) => {
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
});
const daemon = await startDaemon(optionsOf(home, mining), await createLogger('error', 'plain'));
const { node } = daemon;

/** Starts a block as soon as the previous one is done, and resolves when it is applied. */
async function mineOne() {
  const mined = await node.consensus.mine();
  if (!mined.ok) throw new Error(JSON.stringify(mined.error));
}

/** Writes the heap of the main thread and of each worker after a garbage collection. @param {string} folder */
async function writeSnapshots(folder) {
  const threads = [getHeapSnapshot(), ...(await Promise.all([...workers].map((worker) => worker.getHeapSnapshot())))];
  const files = threads.map((_, index) => join(folder, `thread-${index}.heapsnapshot`));
  for (const [index, stream] of threads.entries()) await pipeline(stream, createWriteStream(files[index]));
  return files;
}

/**
 * @param {{ kind: 'mine' | 'usage' | 'snapshot' | 'stop', blocks?: number, collect?: boolean, folder?: string }}
 *   request
 */
async function answer(request) {
  if (request.kind === 'mine') {
    const cpu = process.cpuUsage();
    const start = performance.now();
    for (let block = 0; block < request.blocks; block += 1) await mineOne();
    const milliseconds = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    return { milliseconds, user: user / 1000, system: system / 1000 };
  }
  if (request.kind === 'usage') {
    if (request.collect) globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    return { user: user / 1000, system: system / 1000, ...process.memoryUsage() };
  }
  if (request.kind === 'snapshot') return writeSnapshots(request.folder);
  await daemon.stop();
  if (given === undefined) rmSync(home, { recursive: true, force: true });
  process.exit(0);
}

process.on('message', (request) => void answer(request).then((reply) => process.send(reply)));
process.on('disconnect', () => process.exit(1));
process.send({ ports: daemon.faces.ports });
