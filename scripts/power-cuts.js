/**
 * Pictures of disks at power cuts, by the thousand: `node scripts/power-cuts.js [--pictures 20000] [--seed 1]
 * [--recordings <folder>] [--load <name>]`. Records runs of this build by strace (or takes the recordings of the
 * folder), and opens what a disk may hold at moments of them (`test/power`). Prints each broken picture with its load
 * and seed: with the folder, that load, that seed and `--pictures 1` it is made again. `--record` writes the short
 * recordings that `npm test` uses. Needs a build.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    pictures: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    recordings: { type: 'string' },
    load: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});
const MEMORY = '/dev/shm';
const recordings = values.recordings ?? mkdtempSync(join(tmpdir(), 'power-cuts-'));
const env = {
  ...process.env,
  // Pictures are opened in memory, where a sync costs nothing.
  ...(existsSync(MEMORY) && { TMPDIR: MEMORY }),
  ...(values.record
    ? { CHRONICLED_RECORD: '1' }
    : { CHRONICLED_PICTURES: values.pictures, CHRONICLED_TEST_SEED: values.seed, CHRONICLED_RECORDINGS: recordings }),
  ...(values.load !== undefined && { CHRONICLED_LOAD: values.load }),
};
const words = ['vitest', 'run', '--maxWorkers=1', 'test/power/power-cuts.test.ts'];
const { status } = spawnSync('npx', [...words, ...(values.record ? ['-t', 'is recorded'] : [])], {
  stdio: 'inherit',
  env,
});
if (!values.record) process.stdout.write(`recordings: ${recordings}\n`);
process.exitCode = status ?? 1;
