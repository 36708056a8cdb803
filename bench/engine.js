/**
 * A chain of one validator behind CometBFT. With a `timeout_commit` of 1 s, 500 transfers are sent each second and
 * the blocks are counted. With 0, blocks and transfers are counted and compared with the key-value example behind the
 * same CometBFT. Needs CometBFT 0.38 in the PATH or in `COMETBFT`; without it the suite prints a notice.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median, quantile } from './figures.js';
import { openConnection } from './http.js';
import { signedSends } from './signed-sends.js';

const PROGRAM = fileURLToPath(new URL('../dist/node/main.js', import.meta.url));
const COMETBFT = process.env['COMETBFT'] ?? 'cometbft';
const SENDERS = 10;
const PER_SECOND = 500;
const SECONDS = 8;
/** Transactions of each sender at `timeout_commit` 0. */
const AT_ONCE = 200;
/** Period in which blocks without transactions are counted, in milliseconds. */
const EMPTY = 5_000;
/** Transfers of 100,000 gas, 500 in a block: the genesis of `init` has room for 300. */
const MAX_GAS = '100000000';
/** Milliseconds after which a part ends, so that a slow machine gives fewer samples. */
const PART = 30_000;
/** Number of blocks in one answer of CometBFT's `blockchain`. */
const PAGE = 20;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Repeats a request until it is answered. */
async function until(ask) {
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    await pause(20);
  }
}

/** @param {string} url */
async function heightOf(url) {
  const { result } = await (await fetch(`${url}/status`)).json();
  return Number(result.sync_info.latest_block_height);
}

/** Changes options in CometBFT's config.toml. @param {string} home @param {string} timeoutCommit */
function setTimeoutCommit(home, timeoutCommit) {
  const file = join(home, 'config', 'config.toml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(/^timeout_commit = .*$/m, `timeout_commit = "${timeoutCommit}"`),
  );
}

/** Starts CometBFT with this node or its key-value application. @param {'chronicle' | 'kvstore'} application */
async function start(application, timeoutCommit) {
  const folder = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  const [home, socket, ready] = ['home', 'abci.sock', 'ready.json'].map((name) => join(folder, name));
  const [rpc, p2p] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const url = `http://${rpc}`;
  const children = [];
  const engine = ['--rpc.laddr', `tcp://${rpc}`, '--p2p.laddr', `tcp://${p2p}`];
  if (application === 'chronicle') {
    const chronicled = (...args) =>
      execFileSync(process.execPath, [PROGRAM, ...args, '--home', home], { stdio: 'ignore' });
    chronicled('init', 'bench');
    const file = join(home, 'config', 'genesis.json');
    const genesis = JSON.parse(readFileSync(file, 'utf8'));
    genesis.consensus.params.block.max_gas = MAX_GAS;
    writeFileSync(file, JSON.stringify(genesis));
    chronicled('comet', 'init', '--proxy-app', `unix://${socket}`, '--timeout-commit', timeoutCommit);
    const args = ['--address', `unix://${socket}`, '--comet', url, '--port-base', '0', '--ready-file', ready];
    children.push(spawn(process.execPath, [PROGRAM, 'abci', '--home', home, ...args], { stdio: 'ignore' }));
    await until(() => existsSync(ready) && readFileSync(ready, 'utf8') !== '');
  } else {
    execFileSync(COMETBFT, ['init', '--home', join(home, 'comet')], { stdio: 'ignore' });
    setTimeoutCommit(join(home, 'comet'), timeoutCommit);
    engine.push('--proxy_app', 'kvstore');
  }
  children.push(spawn(COMETBFT, ['start', '--home', join(home, 'comet'), ...engine], { stdio: 'ignore' }));
  await until(() => fetch(`${url}/status`).catch(() => undefined));
  // Before the first block, the SDK's rule for genesis transactions holds: all signers have account number 0.
  await until(async () => (await heightOf(url)) >= 2);
  return {
    url,
    async stop() {
      for (const child of children.reverse()) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Each sender sends its transactions in order until `end`. Returns the counts of sent and refused transactions.
 *
 * @param {string} url
 * @param {string[][]} sets
 * @param {number} end
 */
async function bring(url, sets, end) {
  let brought = 0;
  let refused = 0;
  await Promise.all(
    sets.map(async (bodies) => {
      // CometBFT closes a connection after 10 seconds without requests.
      const connection = await openConnection(url);
      for (const body of bodies) {
        if (performance.now() > end) break;
        const { result } = await connection.send(body);
        brought += 1;
        if (result?.code !== 0) refused += 1;
      }
      connection.close();
    }),
  );
  return { brought, refused };
}

/** Headers of the blocks at these heights, in their order. */
async function headsOf(url, from, to) {
  const heads = [];
  for (let first = from; first <= to; first += PAGE) {
    const last = Math.min(to, first + PAGE - 1);
    const { result } = await (await fetch(`${url}/blockchain?minHeight=${first}&maxHeight=${last}`)).json();
    heads.push(...result.block_metas.reverse());
  }
  return heads.map(({ header, num_txs: count }) => ({ time: Date.parse(header.time), count: Number(count) }));
}

const transfers = (round, each) =>
  Array.from({ length: SENDERS }, (_, sender) => signedSends(sender, round * each, each).map(({ body }) => body));

const pairs = (each) =>
  Array.from({ length: SENDERS }, (_, sender) =>
    Array.from({ length: each }, (_none, index) => {
      const tx = Buffer.from(`key${sender}x${index}=value`).toString('base64');
      return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx } });
    }),
  );

/** Sends transfers each second and measures the size of each block and the time between blocks. */
async function everySecond() {
  const each = PER_SECOND / SENDERS;
  const rounds = Array.from({ length: SECONDS }, (_, round) => transfers(round, each));
  const chain = await start('chronicle', '1s');
  const { url } = chain;
  try {
    const from = (await heightOf(url)) + 1;
    const began = performance.now();
    const end = began + PART;
    let [brought, refused] = [0, 0];
    for (const [round, sets] of rounds.entries()) {
      if (performance.now() > end) break;
      const answers = await bring(url, sets, end);
      brought += answers.brought;
      refused += answers.refused;
      await pause(Math.max(0, began + (round + 1) * 1_000 - performance.now()));
    }
    const seconds = (performance.now() - began) / 1_000;
    const last = await heightOf(url);
    await until(async () => (await heightOf(url)) > last);
    const heads = await headsOf(url, from, last + 1);
    const between = heads.slice(1).map(({ time }, index) => (time - heads[index].time) / 1_000);
    const counts = heads.map(({ count }) => count);
    return [
      { name: `transfers that were brought, ${PER_SECOND} each second`, value: brought, unit: '' },
      { name: 'seconds in which they were brought', value: seconds, unit: 's' },
      { name: 'transfers that were refused', value: refused, unit: '' },
      { name: 'transfers that are in blocks', value: counts.reduce((sum, count) => sum + count, 0), unit: '' },
      { name: 'transfers of a block, most', value: Math.max(...counts), unit: '' },
      { name: 'from block to block at timeout_commit 1 s, median', value: median(between), unit: 's' },
      { name: 'from block to block at timeout_commit 1 s, 95 of 100', value: quantile(between, 0.95), unit: 's' },
      { name: 'from block to block at timeout_commit 1 s, longest', value: Math.max(...between), unit: 's', goal: '2' },
    ];
  } finally {
    await chain.stop();
  }
}

/** Makes blocks without a pause and measures blocks and transactions per second. */
async function withoutPause(application, sets) {
  const chain = await start(application, '0s');
  const { url } = chain;
  try {
    const first = await heightOf(url);
    await pause(EMPTY);
    const empty = ((await heightOf(url)) - first) / (EMPTY / 1_000);
    const from = (await heightOf(url)) + 1;
    const began = performance.now();
    const { brought, refused } = await bring(url, sets, began + PART);
    const wanted = brought - refused;
    let taken = 0;
    let next = from;
    await until(async () => {
      const last = await heightOf(url);
      if (last >= next) for (const { count } of await headsOf(url, next, last)) taken += count;
      next = Math.max(next, last + 1);
      return taken >= wanted;
    });
    return { empty, rate: (taken * 1_000) / (performance.now() - began) };
  } finally {
    await chain.stop();
  }
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  if (spawnSync(COMETBFT, ['version']).status !== 0) {
    process.stderr.write('CometBFT is not installed here: set COMETBFT to its program\n');
    return [];
  }
  const seconds = await everySecond();
  const ours = await withoutPause('chronicle', transfers(0, AT_ONCE));
  const example = await withoutPause('kvstore', pairs(AT_ONCE));
  return [
    ...seconds,
    { name: 'empty blocks at timeout_commit 0', value: ours.empty, unit: '1/s' },
    { name: "empty blocks at timeout_commit 0, CometBFT's own kvstore", value: example.empty, unit: '1/s' },
    { name: 'MsgSend committed at timeout_commit 0, 10 senders', value: ours.rate, unit: '1/s' },
    {
      name: "pairs committed at timeout_commit 0, CometBFT's own kvstore, 10 senders",
      value: example.rate,
      unit: '1/s',
    },
  ];
}
