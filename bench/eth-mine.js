/**
 * Empty blocks in bulk by `anvil_mine` of 1,000: our node, which syncs at the end of each command, compared with
 * anvil. New processes, whose code is not compiled yet, are measured apart from warm ones. `CHRONICLED_BENCH_BEFORE`
 * names the worktree of another build of ours, which is measured alternately with this one.
 */
import { join, resolve } from 'node:path';
import { median } from './figures.js';
import { openConnection } from './http.js';
import { row } from './ethereum/compare.js';
import { startAnvil, startOurs, threadsTime } from './ethereum/peers.js';

const BLOCKS = 1_000;
/** Commands to each process; the first one is reported apart. */
const COMMANDS = 5;
const PROCESSES = 3;
const before = process.env['CHRONICLED_BENCH_BEFORE'];

const STARTS = {
  ours: () => startOurs({ mining: 'manual' }),
  ...(before !== undefined && {
    before: () => startOurs({ mining: 'manual', main: join(resolve(before), 'dist/node/main.js') }),
  }),
  anvil: () => startAnvil(),
};

/** Elapsed and processor milliseconds of each command to a new process; undefined without the peer. */
async function ofNewProcess(start) {
  const peer = await start();
  if (peer === undefined) return undefined;
  const connection = await openConnection(peer.url);
  const samples = [];
  for (let command = 0; command < COMMANDS; command += 1) {
    const used = threadsTime(peer);
    const begun = performance.now();
    await connection.call('anvil_mine', [`0x${BLOCKS.toString(16)}`]);
    samples.push({ elapsed: performance.now() - begun, cpu: threadsTime(peer) - used });
  }
  connection.close();
  await peer.stop();
  return samples;
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const processes = new Map(Object.keys(STARTS).map((name) => [name, []]));
  for (let round = 0; round < PROCESSES; round += 1)
    for (const [name, start] of Object.entries(STARTS)) {
      const samples = await ofNewProcess(start);
      if (samples !== undefined) processes.get(name).push(samples);
    }
  return [
    ...figuresOf(processes, 'first 1,000 of a process', (samples) => samples.slice(0, 1)),
    ...figuresOf(processes, `later, to ${(COMMANDS * BLOCKS).toLocaleString('en')}`, (samples) => samples.slice(1)),
  ];
}

function figuresOf(processes, when, chosen) {
  const of = (name, value) => {
    const samples = (processes.get(name) ?? []).flatMap(chosen).map(value);
    return samples.length === 0 ? undefined : median(samples);
  };
  const rate = (name) => of(name, ({ elapsed }) => (BLOCKS * 1_000) / elapsed);
  const cpu = (name) => of(name, (sample) => sample.cpu / 1e6 / BLOCKS);
  const figures = [
    row(`empty blocks in bulk, ${when}`, '1/s', 'more', rate('ours'), rate('anvil'), '1,000'),
    row(`CPU per empty block, all threads, ${when}`, 'ms', 'less', cpu('ours'), cpu('anvil'), '1'),
  ];
  if (before === undefined) return figures;
  return [
    ...figures,
    { name: `as many times the blocks of the other build, ${when}`, value: rate('ours') / rate('before'), unit: 'x' },
    { name: `CPU per block / of the other build, ${when}`, value: cpu('ours') / cpu('before'), unit: 'x' },
  ];
}
