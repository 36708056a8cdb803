/**
 * Difference between two states 10,000 writes apart, in pages of 200 rows: elapsed and processor time of the node.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median, timedAsync } from './figures.js';

const MAIN = fileURLToPath(new URL('../dist/node/main.js', import.meta.url));
const WRITES = 10_000;
const SENDS = 100;
const CALLS = 20;
const OPTIONS = { limit: 200 };

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const home = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  const file = join(home, 'ready.json');
  const words = ['dev', '--home', home, '--port-base', '0', '--mining', 'manual', '--ready-file', file, '-q'];
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: 'ignore' });
  while (!existsSync(file)) await pause(20);
  const url = JSON.parse(readFileSync(file, 'utf8')).endpoints.eth_http;
  const post = async (body) =>
    (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json();
  const ask = async (method, ...params) =>
    (await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).result;
  const processor = () => {
    const [, fields = ''] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ');
    return (Number(fields.split(' ')[11]) + Number(fields.split(' ')[12])) * 10;
  };
  const [from] = await ask('eth_accounts');
  let written = 0;
  for (let sent = 0; written < WRITES; sent += SENDS) {
    const sends = Array.from({ length: SENDS }, (_, at) => {
      const to = `0x${(sent + at).toString(16).padStart(40, '7')}`;
      return { jsonrpc: '2.0', id: at, method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] };
    });
    await post(JSON.stringify(sends));
    await ask('evm_mine');
    const diff = await ask('chronicle_stateDiff', 'earliest', 'latest', { limit: 1 });
    written = Object.values(diff.written).reduce((sum, one) => sum + one, 0);
  }
  const samples = [];
  const before = processor();
  for (let call = 0; call < CALLS; call += 1)
    samples.push(await timedAsync(() => ask('chronicle_stateDiff', 'earliest', 'latest', OPTIONS)));
  const used = (processor() - before) / CALLS;
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(home, { recursive: true, force: true });
  return [
    { name: `difference of ${WRITES} writes: CPU`, value: used, unit: 'ms' },
    { name: 'time', value: median(samples), unit: 'ms', goal: '300' },
  ];
}
