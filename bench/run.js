/**
 * Prints the measured figures: `npm run bench`, or `node bench/run.js transfers startup` for some of them. Nothing is
 * asserted. Every suite runs in a process of its own, so that memory and warm code of one do not reach the next.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

const SUITES = ['event-log', 'iavl', 'reads', 'executor', 'blocks', 'transfers', 'startup'];

const [first, suite] = process.argv.slice(2);
if (first === '--suite' && suite !== undefined) {
  const { run } = await import(`./${suite}.js`);
  for (const { name, value, unit } of await run()) {
    process.stdout.write(`${suite.padEnd(10)} ${name.padEnd(64)} ${format(value).padStart(12)} ${unit}\n`);
  }
  process.exit(0);
}

/** Milliseconds of a fixed computation: tells how fast this machine is at this moment. */
function yardstick() {
  const start = performance.now();
  let value = 1;
  for (let step = 0; step < 1e7; step += 1) value = (Math.imul(value, 1_664_525) + 1_013_904_223) | 0;
  return value === 0 ? Number.NaN : performance.now() - start;
}

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : SUITES) {
  const load = loadavg()[0] ?? 0;
  process.stdout.write(`${name}: load average ${load.toFixed(2)}, fixed computation ${yardstick().toFixed(1)} ms\n`);
  const child = fork(fileURLToPath(import.meta.url), ['--suite', name], { execArgv: ['--expose-gc'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = 1;
}

/** @param {number} value */
function format(value) {
  return value >= 1_000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
