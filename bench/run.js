/**
 * Runs the suites and prints one table: `npm run bench`, or `node bench/run.js transfers startup` for some suites.
 * Nothing is asserted. Each suite runs in its own process, so that memory and warm code do not affect the next one.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

const SUITES = [
  'event-log',
  'iavl',
  'reads',
  'executor',
  'blocks',
  'modules',
  'one-state',
  'transfers',
  'startup',
  'rest',
  'faces',
  'eth-reads',
  'eth-transfers',
  'eth-sustained',
  'eth-mine',
  'eth-intervals',
  'eth-compute',
  'eth-traces',
  'eth-proofs',
  'old-heights',
  'state-diff',
  'eth-subscriptions',
  'eth-startup',
  'packets',
  'actor-restarts',
  'log-rebuild',
  'worst-block',
  'engine',
];

const [first, suite] = process.argv.slice(2);
if (first === '--suite' && suite !== undefined) {
  const { run } = await import(`./${suite}.js`);
  process.send(await run(), () => process.exit(0));
} else {
  await runAll(first === undefined ? SUITES : process.argv.slice(2));
}

/** @param {readonly string[]} names */
async function runAll(names) {
  const rows = [['suite', 'figure', 'value', 'unit', 'anvil', 'ratio', 'goal']];
  for (const name of names) {
    const load = (loadavg()[0] ?? 0).toFixed(1);
    const started = performance.now();
    const fixed = yardstick();
    const child = fork(fileURLToPath(import.meta.url), ['--suite', name], { execArgv: ['--expose-gc'] });
    const answered = once(child, 'message').catch(() => [[]]);
    const ended = once(child, 'exit');
    const [figures] = await Promise.race([answered, ended.then(() => [[]])]);
    const [code] = await ended;
    if (code !== 0) process.exitCode = 1;
    const seconds = ((performance.now() - started) / 1_000).toFixed(0);
    rows.push(
      [name, `load average ${load}; a fixed computation took`, fixed.toFixed(1), 'ms', '', '', ''],
      ...figures.map((figure) => rowOf(name, figure)),
    );
    process.stderr.write(`${name}: ${code === 0 ? 'done' : 'failed'} in ${seconds} s\n`);
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, column) => (column === 2 ? cell.padStart(widths[column]) : cell.padEnd(widths[column]))).join(' | ')} |\n`;
  const [head, ...body] = rows;
  process.stdout.write(line(head) + line(widths.map((width) => '-'.repeat(width))) + body.map(line).join(''));
}

/** @param {string} name @param {import('./figures.js').Figure} figure */
function rowOf(name, { name: figure, value, spread, unit, anvil, ratio, goal }) {
  return [
    name,
    figure,
    format(value),
    spread === undefined ? unit : `${unit} ± ${(100 * spread).toFixed(1)} %`,
    anvil === undefined ? '' : format(anvil),
    ratio === undefined ? '' : format(ratio),
    goal ?? '',
  ];
}

/** Milliseconds of a fixed computation, as a measure of the present speed of this machine. */
function yardstick() {
  const start = performance.now();
  let value = 1;
  for (let step = 0; step < 1e7; step += 1) value = (Math.imul(value, 1_664_525) + 1_013_904_223) | 0;
  return value === 0 ? Number.NaN : performance.now() - start;
}

/** @param {number | null} value IPC turns NaN and infinities into null */
function format(value) {
  if (value === null) return 'none';
  return value >= 1_000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
