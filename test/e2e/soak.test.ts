/**
 * Disk usage per block of a node with pruning, kills and restarts. `scripts/soak.js` takes more blocks and prints the
 * curves.
 */
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homePaths } from '../../src/runtime/home/home.js';
import { openLevelCopy } from '../../src/store/leveldb/level-store.js';
import { tableOf } from '../../src/store/rows/tables.js';
import { tolerantRows } from '../../src/store/log/tolerant-rows.js';
import { chronicled } from '../support/command.js';
import { startDaemonProcess, type DaemonProcess } from '../support/daemon.js';
import { seededRandom } from '../support/faulty-store.js';
import { temporaryFolder } from '../support/temporary.js';
import { call } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';
import { signedEither } from './load.js';

const BLOCKS = Number(process.env['CHRONICLED_SOAK_BLOCKS'] ?? 768);
const STEPS = Number(process.env['CHRONICLED_SOAK_STEPS'] ?? 4);
const SEED = Number(process.env['CHRONICLED_TEST_SEED'] ?? randomInt(2 ** 31));
const STEP = Math.floor(BLOCKS / STEPS);
/** Timeout in milliseconds of a command that reads all blocks, on a busy machine. */
const timeout = 60_000 + BLOCKS * 30;
/** Number of blocks in one command. */
const COMMAND = 1_000;
const RULES = [
  ...['--pruning', 'custom', '--pruning-keep-recent', '64', '--pruning-interval', '10'],
  ...['--min-retain-blocks', '64'],
];
/** Number of steps without pruning. */
const WHOLE_STEPS = 2;
/** Bytes of an empty block on the disk after compaction; without packed rows it takes 2,900. */
const WHOLE_BYTES = 1_650;
/** Bytes of a pruned block. */
const PRUNED_BYTES = 400;
/** Tables whose rows do not grow with the chain when everything is pruned. */
const BOUNDED = ['undo pages of the state', 'block events', 'blocks by hash', 'blocks by Ethereum hash'];

interface Sample {
  readonly blocks: number;
  readonly bytes: number;
  readonly rows: ReadonlyMap<string, number>;
}

/** Size of a stopped home after compaction, and its rows by table. */
async function measured(home: string, blocks: number): Promise<Sample> {
  const copy = await openLevelCopy(homePaths(home).database);
  const rows = new Map<string, number>();
  const damage: unknown[] = [];
  for await (const page of tolerantRows(copy.store, (problem) => damage.push(problem)))
    for (const { key } of page) rows.set(tableOf(key), (rows.get(tableOf(key)) ?? 0) + 1);
  await copy.store.compact?.(Uint8Array.of(0), Uint8Array.of(0xff));
  const files = readdirSync(copy.location).filter((name) => name.endsWith('.ldb'));
  const bytes = files.reduce((sum, name) => sum + statSync(join(copy.location, name)).size, 0);
  await copy.store.close();
  expect(damage).toEqual([]);
  return { blocks, bytes, rows };
}

/** Bytes of each block between two samples. */
function slope(from: Sample | undefined, to: Sample | undefined): number {
  if (from === undefined || to === undefined) throw new Error('both steps were measured');
  return (to.bytes - from.bytes) / (to.blocks - from.blocks);
}

/** Processor time of a process in milliseconds; 0 if the system does not report it. */
function processorTime(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<string> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun).toFixed(0);
}

/** Sends transactions and mines the blocks of a step. Returns their cost. */
async function grow({ pid, endpoints }: DaemonProcess, step: number): Promise<string> {
  const { comet, eth_http: ethereum = '' } = endpoints;
  const before = processorTime(pid);
  const hashes: string[] = [];
  for (let made = 0; made < STEP; made += COMMAND) {
    const { tx } = signedEither(1, BigInt(step * Math.ceil(STEP / COMMAND) + made / COMMAND));
    const { hash } = await call<{ readonly hash: string }>(comet, 'broadcast_tx_sync', { tx });
    hashes.push(hash);
    const blocks = Math.min(COMMAND, STEP - made);
    await callEthereum(ethereum, 'anvil_mine', [`0x${(blocks - 1).toString(16)}`]);
    await callEthereum(ethereum, 'anvil_mine', ['0x1']);
  }
  const used = (processorTime(pid) - before) / STEP;
  const head = await callEthereum<string>(ethereum, 'eth_blockNumber', []);
  const traced = await timeOf(() =>
    callEthereum(ethereum, 'debug_traceBlockByNumber', [head, { tracer: 'callTracer' }]),
  );
  const searched = await timeOf(() =>
    call(comet, 'block_search', { query: 'mint.amount EXISTS', per_page: '10', order_by: 'desc' }),
  );
  const resident = Number(/VmRSS:\s*(\d+)/.exec(statusOf(pid))?.[1] ?? 0) / 1_024;
  return `${used.toFixed(2)} ms CPU a block, ${resident.toFixed(0)} MiB, trace ${traced} ms, search ${searched} ms`;
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

it(
  `a pruned home keeps few bytes per block over ${BLOCKS} blocks and ${STEPS} restarts (seed ${SEED})`,
  { timeout: 2 * timeout },
  async () => {
    const random = seededRandom(SEED);
    const home = temporaryFolder();
    const samples: Sample[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      const isPruned = step >= WHOLE_STEPS;
      const begun = performance.now();
      const daemon = await startDaemonProcess({
        home,
        args: ['--mining', 'manual', ...(isPruned ? RULES : [])],
      });
      const started = performance.now() - begun;
      const { endpoints } = daemon;
      const head = await callEthereum<string>(endpoints.eth_http ?? '', 'eth_blockNumber', []);
      // Blocks of commands are acknowledged, so a kill loses none.
      expect(Number(head), `step ${step}`).toBe(step * STEP);
      const told = await grow(daemon, step);
      const signal = random() < 0.5 ? 'SIGKILL' : 'SIGTERM';
      await daemon.kill(signal);
      if (isPruned) expect((await chronicled(['prune', ...RULES, '--home', home], { timeout })).code).toBe(0);
      const sample = await measured(home, (step + 1) * STEP);
      samples.push(sample);
      process.stdout.write(
        `${sample.blocks} blocks: ${(sample.bytes / 1e6).toFixed(2)} MB, start ${started.toFixed(0)} ms, ${told}, ${signal}\n`,
      );
    }
    const [first, second, third] = samples;
    const last = samples.at(-1);
    const whole = slope(first, second);
    const pruned = slope(third, last);
    process.stdout.write(`${whole.toFixed(0)} bytes for a block, ${pruned.toFixed(0)} for a pruned one\n`);
    expect(whole).toBeLessThan(WHOLE_BYTES);
    expect(pruned).toBeLessThan(PRUNED_BYTES);
    for (const table of BOUNDED) {
      const grown = (last?.rows.get(table) ?? 0) - (third?.rows.get(table) ?? 0);
      // The kept blocks of one step may be more by a window of the index.
      expect(grown, table).toBeLessThan(table === 'block events' ? 32 * 16 : 40);
    }
    const verified = await chronicled(['log', 'verify', '--home', home], { timeout });
    expect(verified, verified.stdout).toMatchObject({ code: 0 });
  },
);
