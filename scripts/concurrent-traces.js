/**
 * Checks that a node survives concurrent traces: `node scripts/concurrent-traces.js [runs]`. Needs a build. Each run
 * starts a node, fills blocks, requests 32 traces of blocks at once, four times, and stops the node with SIGTERM.
 * Prints how the nodes exited and what they answered, and the last output of each node that exited otherwise. The
 * exit code is 1 if there is such a node.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../dist/node/main.js', import.meta.url));
const BLOCKS = 32;
const ROUNDS = 4;
const EXPECTED = 'exit 0 after SIGTERM';
/** A constructor that counts down from 4,095 in a loop. */
const CODE = '0x610fff5b600190038060035700';
const runs = Number(process.argv[2] ?? 200);
const exits = new Map();
const answers = new Map();

for (let run = 1; run <= runs; run += 1) {
  const folder = mkdtempSync(join(tmpdir(), 'traces-'));
  const ended = await oneRun(join(folder, 'ready.json'));
  rmSync(folder, { recursive: true });
  count(exits, ended.how);
  process.stdout.write(`run ${run}: ${ended.how}\n${ended.how === EXPECTED ? '' : `${ended.output}\n`}`);
}
print('ends', exits);
print('answers', answers);
process.exitCode = exits.get(EXPECTED) === runs ? 0 : 1;

async function oneRun(file) {
  const args = ['dev', '--ephemeral', '--quiet', '--mining', 'instant', '--port-base', '0', '--ready-file', file];
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let when = 'early';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-4_000);
    });
  const exited = once(child, 'exit').then(([code, signal]) => ({ how: `${signal ?? `exit ${code}`} ${when}`, output }));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  await ask(file, isRunning).catch((error) => count(answers, String(error)));
  if (isRunning()) {
    when = 'after SIGTERM';
    child.kill('SIGTERM');
  }
  return exited;
}

async function ask(file, isRunning) {
  while (!existsSync(file)) {
    if (!isRunning()) throw new Error('the node ended before it was ready');
    await pause(50);
  }
  const { endpoints } = JSON.parse(readFileSync(file, 'utf8'));
  const call = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(endpoints.eth_http, { method: 'POST', headers, body })).json();
  };
  const [from] = (await call('eth_accounts', [])).result;
  for (let block = 0; block < BLOCKS; block += 1)
    await call('eth_sendTransaction', [{ from, data: CODE, gas: '0x1e8480' }]);
  for (let round = 0; round < ROUNDS; round += 1) {
    const calls = Array.from({ length: BLOCKS }, (_, index) => call('trace_block', [`0x${(index + 2).toString(16)}`]));
    for (const { error } of await Promise.all(calls)) count(answers, error?.message ?? 'a trace');
  }
}

function count(counts, what) {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function print(title, counts) {
  process.stdout.write(`${title}\n`);
  for (const [what, times] of counts) process.stdout.write(`${String(times).padStart(8)}  ${what}\n`);
}
