/**
 * Time from spawn to the first HTTP answer, run time of commands, and resident memory of an idle node.
 * `CHRONICLED_BENCH_BEFORE` names the worktree of another build, which is measured alternately with this one.
 */
import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from './figures.js';
import { openConnection } from './http.js';
import { startNodeProcess } from './node-client.js';

const STARTS = 3;
/** Milliseconds after which V8's code cache of a node is written (docs/decisions/0007-modules-at-start.md). */
const KEPT_MS = 8_000;
/** Unit of Linux's processor times, whatever the kernel's own clock is. */
const CLOCK_TICK_MS = 10;
/** One query without protobuf messages and one with them. */
const QUERIES = [['status'], ['query', 'bank', 'balances', 'dev0']];
const before = process.env['CHRONICLED_BENCH_BEFORE'];
const MAIN = fileURLToPath(new URL('../dist/node/main.js', import.meta.url));

/** Resident bytes of a process that imports only `module`. */
async function residentAfterImport(module) {
  const code = `${module === undefined ? '' : `await import(${JSON.stringify(module)});`} globalThis.gc(); process.send(process.memoryUsage().rss);`;
  const child = fork(fileURLToPath(new URL('evaluate.js', import.meta.url)), [code], { execArgv: ['--expose-gc'] });
  const [resident] = await once(child, 'message');
  child.kill();
  return resident;
}

/** Milliseconds of one run of `chronicled` until it exits. @param {readonly string[]} argv */
function commandOf(argv) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...argv], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`chronicled ${argv.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - start;
}

/**
 * Processor time, user and system, of a process in milliseconds; undefined without /proc.
 * @param {number} pid
 */
function processorTime(pid) {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const parts = fields.split(' ');
    return (Number(parts[11]) + Number(parts[12])) * CLOCK_TICK_MS;
  } catch {
    return undefined;
  }
}

/** Resident bytes of a process; undefined without /proc. @param {number} pid */
function residentOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
  } catch {
    return undefined;
  }
}

/**
 * Starts `chronicled dev` on a home and waits until /status answers: elapsed milliseconds, processor milliseconds,
 * and resident bytes. Then times commands against it.
 * @param {string} home @param {{ commands?: readonly (readonly string[])[], main?: string, rest?: number }} options
 */
async function startOf(home, { commands = [], main = MAIN, rest = 0 } = {}) {
  const ready = join(home, 'ready.json');
  const start = performance.now();
  const daemon = spawn(
    process.execPath,
    [main, 'dev', '--home', home, '--port-base', '0', '--ready-file', ready, '-q'],
    { stdio: 'ignore' },
  );
  for (;;) {
    const url = consensusUrl(ready);
    if (url !== undefined) {
      const connection = await openConnection(url);
      await connection.call('status', {});
      const milliseconds = performance.now() - start;
      const processor = processorTime(daemon.pid);
      const resident = residentOf(daemon.pid);
      connection.close();
      const took = commands.map((command) => commandOf([...command, '--node', url.replace('http:', 'tcp:')]));
      await delay(rest);
      daemon.kill('SIGTERM');
      await once(daemon, 'exit');
      rmSync(ready, { force: true });
      return { milliseconds, processor, resident, took };
    }
    if (daemon.exitCode !== null) throw new Error(`the daemon ended with code ${daemon.exitCode}`);
    await delay(2);
  }
}

function consensusUrl(ready) {
  try {
    return JSON.parse(readFileSync(ready, 'utf8')).endpoints.comet;
  } catch {
    return undefined;
  }
}

/** @param {(home: string) => Promise<unknown>} use */
async function inNewHome(use) {
  const home = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  await use(home);
  rmSync(home, { recursive: true, force: true });
}

const processorOf = (starts) => median(starts.map(({ processor = Number.NaN }) => processor));

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const fresh = [];
  const again = [];
  const help = [];
  const other = { fresh: [], again: [] };
  const otherMain = before && join(resolve(before), 'dist/node/main.js');
  // Each build first runs until its code cache is written.
  for (const main of [MAIN, otherMain])
    if (main !== undefined) await inNewHome((home) => startOf(home, { main, rest: KEPT_MS }));
  for (let start = 0; start < STARTS; start += 1) {
    await inNewHome(async (home) => {
      fresh.push(await startOf(home));
      again.push(await startOf(home, { commands: QUERIES }));
      help.push(commandOf(['--help']));
    });
    if (otherMain === undefined) continue;
    await inNewHome(async (home) => {
      other.fresh.push(await startOf(home, { main: otherMain }));
      other.again.push(await startOf(home, { main: otherMain }));
    });
  }
  const node = await startNodeProcess('manual');
  await node.mine(1);
  const first = await node.usage(true);
  await node.mine(1_000);
  const later = await node.usage(true);
  await node.stop();
  const bare = await residentAfterImport(undefined);
  const imported = await residentAfterImport(new URL('../build/node/daemon.js', import.meta.url).href);
  return [
    {
      name: 'spawn to first answer, new home, median',
      value: median(fresh.map(({ milliseconds }) => milliseconds)),
      unit: 'ms',
      goal: '900',
    },
    {
      name: 'spawn to first answer, existing home, median',
      value: median(again.map(({ milliseconds }) => milliseconds)),
      unit: 'ms',
      goal: '900',
    },
    { name: 'of that, processor time of all threads, new home', value: processorOf(fresh), unit: 'ms' },
    { name: 'of that, processor time of all threads, existing home', value: processorOf(again), unit: 'ms' },
    ...(otherMain === undefined
      ? []
      : [
          { which: 'new', here: fresh, there: other.fresh },
          { which: 'existing', here: again, there: other.again },
        ].map(({ which, here, there }) => ({
          name: `processor time / of the other build (${processorOf(there).toFixed(0)} ms), ${which} home`,
          value: processorOf(here) / processorOf(there),
          unit: 'x',
        }))),
    {
      name: 'resident at the first answer, new home',
      value: median(fresh.map(({ resident = Number.NaN }) => resident)) / 1e6,
      unit: 'MB',
    },
    { name: 'chronicled --help', value: median(help), unit: 'ms', goal: '250' },
    ...QUERIES.map((query, index) => ({
      name: `chronicled ${query.join(' ')}`,
      value: median(again.map(({ took }) => took[index] ?? Number.NaN)),
      unit: 'ms',
    })),
    { name: 'resident, Node alone', value: bare / 1e6, unit: 'MB' },
    { name: 'resident, all modules imported', value: imported / 1e6, unit: 'MB' },
    { name: 'resident, idle node after one block', value: first.rss / 1e6, unit: 'MB', goal: '150' },
    { name: 'resident, idle node after 1,000 blocks', value: later.rss / 1e6, unit: 'MB', goal: '150' },
    { name: 'of that, heap of the main thread', value: later.heapUsed / 1e6, unit: 'MB' },
  ];
}
