/** Cost of an empty block: CPU of the whole process (all threads) and elapsed, near the beginning, once the code is warm, and after height 10,000. */
import { median } from './figures.js';
import { startNodeProcess } from './node-client.js';

const WINDOW = 200;
const WINDOWS = 5;
const HIGH = Number(process.env['CHRONICLE_BENCH_HEIGHT'] ?? 10_000);

/** Medians per block over some windows. */
async function measure(node) {
  const samples = [];
  for (let window = 0; window < WINDOWS; window += 1) {
    const { milliseconds, user, system } = await node.mine(WINDOW);
    samples.push({ elapsed: milliseconds / WINDOW, cpu: (user + system) / WINDOW, user: user / WINDOW });
  }
  return {
    elapsed: median(samples.map(({ elapsed }) => elapsed)),
    cpu: median(samples.map(({ cpu }) => cpu)),
    user: median(samples.map(({ user }) => user)),
  };
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  // Cold code would hide what the height costs: the low window begins when the code is warm.
  const node = await startNodeProcess('manual');
  await node.mine(1_000);
  const low = await measure(node);
  await node.mine(Math.max(0, HIGH - 1_000 - WINDOW * WINDOWS));
  const high = await measure(node);
  await node.stop();
  return [
    { name: 'CPU per empty block, all threads (goal 0.45)', value: low.cpu, unit: 'ms' },
    { name: 'of that, in user mode', value: low.user, unit: 'ms' },
    { name: 'elapsed per empty block, fsync included', value: low.elapsed, unit: 'ms' },
    { name: `CPU per empty block after height ${HIGH}`, value: high.cpu, unit: 'ms' },
    { name: `elapsed per empty block after height ${HIGH}`, value: high.elapsed, unit: 'ms' },
    { name: `CPU at height ${HIGH} / near height 1,000 (goal 1.0)`, value: high.cpu / low.cpu, unit: 'x' },
  ];
}
