/**
 * `dev --ibc` with a block each second: a burst of 100 packets to the other chain, and the return of their tokens by
 * as many packets after the last one has arrived. Also measures the resident memory that the second chain and the
 * relayer add to an idle process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { encodeFunctionData, parseAbi } from 'viem';
import { median } from './figures.js';

const MAIN = fileURLToPath(new URL('../dist/node/main.js', import.meta.url));
const PACKETS = 100;
const PAIRS = 3;
/** Milliseconds between two polls, which cost time in the measured process. */
const LOOK_MS = 200;
/** Delay in milliseconds before memory is read: V8 has cached its code, and garbage of the start is collected. */
const IDLE_MS = 20_000;
const ICS20 = '0x0000000000000000000000000000000000000802';
const ABI = parseAbi([
  'struct Height { uint64 revisionNumber; uint64 revisionHeight; }',
  'function transfer(string, string, string, uint256, address, string, Height, uint64, string) returns (uint64)',
]);
const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const RECEIVER = 'chron17w0adeg64ky0daxwd2ugyuneellmjgnxhhzugr';
const NONE = { revisionNumber: 0n, revisionHeight: 0n };

/** Starts `dev` with a block each second in a new home. @param {readonly string[]} args */
async function startDev(args) {
  const home = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  const file = join(home, 'ready.json');
  const child = spawn(
    process.execPath,
    [MAIN, 'dev', '--home', home, '--port-base', '0', '--block-time', '1', '--ready-file', file, '-q', ...args],
    { stdio: 'ignore' },
  );
  while (!existsSync(file)) {
    if (child.exitCode !== null) throw new Error(`the daemon ended with code ${child.exitCode}`);
    await pause(20);
  }
  const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1_024;
  const processor = () => {
    const [, fields = ''] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ');
    return (Number(fields.split(' ')[11]) + Number(fields.split(' ')[12])) * 10;
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(home, { recursive: true, force: true });
  };
  return { ready: JSON.parse(readFileSync(file, 'utf8')), resident, processor, stop };
}

async function ask(url, method, params) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { result, error } = await (await fetch(url, { method: 'POST', headers, body })).json();
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

const rest = async ({ endpoints }, path) => (await fetch(`${endpoints.rest}${path}`)).json();

/** Sends a burst of packets, one transaction each. */
async function send(from, denom) {
  const timeout = BigInt(Date.now() + 3_600_000) * 1_000_000n;
  const args = ['transfer', from.channel, denom, 1n, SENDER, RECEIVER, NONE, timeout, ''];
  const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args });
  const params = [{ from: SENDER, to: ICS20, data, gas: '0x493e0' }];
  for (let packet = 0; packet < PACKETS; packet += 1) await ask(from.endpoints.eth_http, 'eth_sendTransaction', params);
}

/** The receiver's balance in tokens of the other chain. */
async function vouchers(chain) {
  const { balances } = await rest(chain, `/cosmos/bank/v1beta1/balances/${RECEIVER}`);
  return balances.find(({ denom }) => denom.startsWith('ibc/'));
}

const escrow = async (chain) => (await rest(chain, '/ibc/apps/transfer/v1/total_escrow/achr')).amount.amount;

async function isAnswered(chain) {
  const path = `/ibc/core/channel/v1/channels/${chain.channel}/ports/transfer/packet_commitments`;
  return (await rest(chain, `${path}?pagination.limit=1`)).commitments.length === 0;
}

async function until(isDone) {
  while (!(await isDone())) await pause(LOOK_MS);
}

/** Milliseconds until a burst has arrived, until its tokens have returned, and until the last acknowledgement. */
async function bursts() {
  const { ready, processor, stop } = await startDev(['--ibc']);
  const { ibc, endpoints } = ready;
  const here = { endpoints, channel: ibc.channel_id };
  const there = { endpoints: ibc.endpoints, channel: ibc.counterparty_channel_id };
  const before = processor();
  const start = performance.now();
  await send(here, 'achr');
  await until(async () => (await vouchers(there))?.amount === String(PACKETS));
  const arrived = performance.now() - start;
  await send(there, (await vouchers(there)).denom);
  await until(async () => (await escrow(here)) === '0');
  const home = performance.now() - start;
  await until(async () => (await isAnswered(here)) && (await isAnswered(there)));
  const answered = performance.now() - start;
  const cpu = processor() - before;
  await stop();
  return { arrived, home, answered, cpu };
}

async function idle(args) {
  const { resident, stop } = await startDev(args);
  await pause(IDLE_MS);
  const bytes = resident();
  await stop();
  return bytes;
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const [runs, one, two] = [[], [], []];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    runs.push(await bursts());
    one.push(await idle([]));
    two.push(await idle(['--ibc']));
  }
  const seconds = (pick) => median(runs.map(pick)) / 1_000;
  return [
    { name: '100 packets, sent to received', value: seconds(({ arrived }) => arrived), unit: 's' },
    {
      name: '100 packets there, and as many back, received',
      value: seconds(({ home }) => home),
      unit: 's',
      goal: '10',
    },
    { name: 'until the last acknowledgement', value: seconds(({ answered }) => answered), unit: 's' },
    { name: 'CPU of both chains and the relayer for them', value: seconds(({ cpu }) => cpu), unit: 's' },
    { name: 'resident, one idle chain', value: median(one) / 1e6, unit: 'MB' },
    { name: 'the second chain and the relayer add', value: (median(two) - median(one)) / 1e6, unit: 'MB', goal: '120' },
  ];
}
