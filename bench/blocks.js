/**
 * Cost of an empty block: elapsed time, and CPU time of the whole process with all threads. `CHRONICLED_BENCH_BEFORE`
 * names the worktree of another build with its modules (`npx tsc -p tsconfig.build.json`), which is measured
 * alternately with this one. To compare heights, new processes are started on copies of a home at each height. The
 * code is then equally cold in both, and only the height differs.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median } from './figures.js';
import { startNodeProcess } from './node-client.js';

const WINDOW = 200;
/**
 * Enough blocks that the windows of each build include collections of the old generation, one in some thousand
 * blocks.
 */
const WINDOWS = 20;
const RESTARTS = 3;
const LOW = 10;
const HIGH = Number(process.env['CHRONICLED_BENCH_HEIGHT'] ?? 10_000);
const before = process.env['CHRONICLED_BENCH_BEFORE'];

/** Costs per block over one window. */
async function oneWindow(node) {
  const { milliseconds, user, system } = await node.mine(WINDOW);
  return { elapsed: milliseconds / WINDOW, cpu: (user + system) / WINDOW };
}

function medians(samples) {
  return { elapsed: median(samples.map(({ elapsed }) => elapsed)), cpu: median(samples.map(({ cpu }) => cpu)) };
}

/** Processor time including garbage collection, which a median would leave out. */
function meanCpu(samples) {
  return samples.reduce((sum, { cpu }) => sum + cpu, 0) / samples.length;
}

/** The first window of a new process on a copy of `home`. */
async function restarted(home) {
  const copy = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  cpSync(home, copy, { recursive: true });
  const node = await startNodeProcess('manual', copy);
  const window = await oneWindow(node);
  await node.stop();
  rmSync(copy, { recursive: true, force: true });
  return window;
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const low = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  const young = await startNodeProcess('manual', low);
  await young.mine(LOW);
  await young.stop();
  const high = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  const node = await startNodeProcess('manual', high);
  const other = before && (await startNodeProcess('manual', undefined, resolve(before)));
  for (const each of [node, other]) await each?.mine(HIGH - WINDOW * WINDOWS);
  const windows = [];
  const others = [];
  for (let window = 0; window < WINDOWS; window += 1) {
    windows.push(await oneWindow(node));
    if (other !== undefined) others.push(await oneWindow(other));
  }
  await node.stop();
  await other?.stop();
  // Alternately, so that other load on the machine affects both.
  const pairs = [];
  for (let start = 0; start < RESTARTS; start += 1)
    pairs.push({ low: await restarted(low), high: await restarted(high) });
  for (const home of [low, high]) rmSync(home, { recursive: true, force: true });
  const warm = medians(windows);
  const atLow = medians(pairs.map((pair) => pair.low));
  const atHigh = medians(pairs.map((pair) => pair.high));
  return [
    {
      name: `CPU per empty block, all threads, warm, up to height ${HIGH}`,
      value: meanCpu(windows),
      unit: 'ms',
      goal: '2.5',
    },
    ...(other === undefined
      ? []
      : [
          {
            name: `of that of the other build, ${meanCpu(others).toFixed(2)} ms`,
            value: meanCpu(windows) / meanCpu(others),
            unit: 'x',
          },
        ]),
    { name: 'elapsed per empty block, warm, fsync included', value: warm.elapsed, unit: 'ms' },
    { name: `CPU per empty block at height ${LOW}, first ${WINDOW} of a process`, value: atLow.cpu, unit: 'ms' },
    { name: `CPU per empty block at height ${HIGH}, first ${WINDOW} of a process`, value: atHigh.cpu, unit: 'ms' },
    {
      name: `CPU at height ${HIGH} / at height ${LOW}, median of pairs`,
      value: median(pairs.map((pair) => pair.high.cpu / pair.low.cpu)),
      unit: 'x',
      goal: '1.0',
    },
    {
      name: `elapsed at height ${HIGH} / at height ${LOW}, median of pairs`,
      value: median(pairs.map((pair) => pair.high.elapsed / pair.low.elapsed)),
      unit: 'x',
      goal: '1.0',
    },
  ];
}
