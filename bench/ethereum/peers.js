/**
 * The compared nodes: ours with its default options and durable writes, and anvil where it is installed (`npm install
 * --prefix bench`). Both have the same funded accounts and chain id, so that both get the same signed bytes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DEV_MNEMONIC } from '../../build/core/keys/dev-mnemonic.js';
import { openConnection } from '../http.js';
import { ACCOUNTS } from '../node-options.js';

export const EVM_CHAIN_ID = 271828;

const MAIN = fileURLToPath(new URL('../../dist/node/main.js', import.meta.url));
const PLATFORM = process.platform;
const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch;
const ANVIL = fileURLToPath(
  new URL(`../node_modules/@foundry-rs/anvil-${PLATFORM}-${ARCHITECTURE}/bin/anvil`, import.meta.url),
);
/** Unit of Linux's processor times, whatever the kernel's own clock is. */
const CLOCK_TICK_MS = 10;

/**
 * @typedef {object} Peer
 * @property {'ours' | 'anvil'} name
 * @property {number} pid
 * @property {string} url HTTP
 * @property {string} ws websocket
 * @property {Readonly<Record<string, string>>} [endpoints] all faces; of ours
 * @property {number} started milliseconds from spawn to the first answer
 * @property {() => Promise<void>} stop
 */

/**
 * Mines as soon as transactions wait, or every `blockTime` seconds.
 * @param {{ blockTime?: number, keepsSteps?: boolean }} [options]
 * @returns {Promise<readonly Peer[]>}
 */
export async function startPeers(options = {}) {
  const ours = await startOurs(options);
  const anvil = await startAnvil(options);
  return anvil === undefined ? [ours] : [ours, anvil];
}

/**
 * `main`: entry of a build, ours where it is absent; `mining`: the mode of `--mining`, which a `blockTime` replaces;
 * `accounts`: accounts with money, of which the state consists.
 * @param {{ blockTime?: number, main?: string, mining?: string, accounts?: number }} options @returns {Promise<Peer>}
 */
export async function startOurs({ blockTime, main = MAIN, mining: mode = 'instant', accounts = ACCOUNTS } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  const ready = join(home, 'ready.json');
  const mining = blockTime === undefined ? ['--mining', mode] : ['--block-time', String(blockTime)];
  const extra = process.env['CHRONICLED_BENCH_EXEC_ARGV']?.split(' ') ?? [];
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...extra,
      main,
      'dev',
      '--home',
      home,
      '--port-base',
      '0',
      '--ready-file',
      ready,
      '--accounts',
      String(accounts),
      '-q',
      ...mining,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  endWithUs(child, home);
  let endpoints;
  while (endpoints === undefined) {
    endpoints = endpointsOf(ready);
    if (endpoints !== undefined) break;
    if (child.exitCode !== null) throw new Error(`the daemon ended with code ${child.exitCode}`);
    await delay(2);
  }
  return {
    name: 'ours',
    pid: child.pid,
    endpoints,
    url: endpoints.eth_http,
    ws: endpoints.eth_ws,
    started: await firstAnswer(endpoints.eth_http, begun),
    async stop() {
      await ended(child);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/**
 * `keepsSteps`: it keeps the steps of each transaction when it executes it, without which it has no opcode logs. @param
 * {{ blockTime?: number, keepsSteps?: boolean }} options @returns {Promise<Peer | undefined>}
 */
export async function startAnvil({ blockTime, keepsSteps = false } = {}) {
  if (!existsSync(ANVIL)) {
    process.stderr.write('anvil is not installed (npm install --prefix bench): only our node is measured\n');
    return undefined;
  }
  const cache = mkdtempSync(join(tmpdir(), 'chronicle-bench-anvil-'));
  const mining = blockTime === undefined ? [] : ['--block-time', String(blockTime)];
  const begun = performance.now();
  const child = spawn(
    ANVIL,
    [
      '--port',
      '0',
      '--chain-id',
      String(EVM_CHAIN_ID),
      '--mnemonic',
      DEV_MNEMONIC,
      '--accounts',
      String(ACCOUNTS),
      '--cache-path',
      cache,
      '--no-request-size-limit',
      ...(keepsSteps ? ['--steps-tracing'] : []),
      ...mining,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, HOME: cache } },
  );
  endWithUs(child, cache);
  const port = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text = (text + chunk).slice(-10_000);
      const found = /Listening on [0-9.]+:(\d+)/.exec(text)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('exit', (code) => reject(new Error(`anvil ended with code ${code}`)));
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    name: 'anvil',
    pid: child.pid,
    url,
    ws: url.replace('http', 'ws'),
    started: await firstAnswer(url, begun),
    async stop() {
      await ended(child);
      rmSync(cache, { recursive: true, force: true });
    },
  };
}

/** Stops the process and removes the folder when a suite fails. */
function endWithUs(child, folder) {
  const end = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', end);
  child.once('close', () => {
    process.off('exit', end);
    end();
  });
}

async function firstAnswer(url, begun) {
  const connection = await openConnection(url);
  await connection.call('eth_blockNumber', []);
  connection.close();
  return performance.now() - begun;
}

async function ended(child) {
  child.removeAllListeners('exit');
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

function endpointsOf(ready) {
  try {
    return JSON.parse(readFileSync(ready, 'utf8')).endpoints;
  } catch {
    return undefined;
  }
}

/**
 * Milliseconds of processor time, all threads, that a process has used; NaN where there is no /proc. @param {{ pid:
 * number }} peer
 */
export function processorTime({ pid }) {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const parts = fields.split(' ');
    return (Number(parts[11]) + Number(parts[12])) * CLOCK_TICK_MS;
  } catch {
    return Number.NaN;
  }
}

/**
 * Processor time of its running threads in nanoseconds, without the rounding of ticks; NaN without /proc.
 * @param {{ pid: number }} peer
 */
export function threadsTime({ pid }) {
  try {
    const folder = `/proc/${pid}/task`;
    const times = readdirSync(folder).map((id) =>
      Number(readFileSync(`${folder}/${id}/schedstat`, 'utf8').split(' ')[0]),
    );
    return times.reduce((sum, time) => sum + time, 0);
  } catch {
    return Number.NaN;
  }
}

/** Resident bytes of a process; NaN without /proc. @param {{ pid: number }} peer */
export function residentBytes({ pid }) {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) * 1_024;
  } catch {
    return Number.NaN;
  }
}
