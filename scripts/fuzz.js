/**
 * Changed inputs for every decoder: `node scripts/fuzz.js [inputs of each] [seed] [keep]`, by default a million, which
 * take about half an hour. Prints for each decoder how many were taken, how many different answers it gave, and the
 * part of its sources that was executed. With `keep`, the shortest input for each answer is written to
 * `test/fuzz/corpus`, from which later runs go on.
 */
import { spawnSync } from 'node:child_process';

const [inputs = '1000000', seed, keep] = process.argv.slice(2);
const env = {
  ...process.env,
  CHRONICLED_FUZZ: inputs,
  ...(seed !== undefined && { CHRONICLED_TEST_SEED: seed }),
  ...(keep === 'keep' && { CHRONICLED_FUZZ_KEEP: '1' }),
};
const command = ['vitest', 'run', '--testTimeout', '3600000', 'test/fuzz'];
const { status } = spawnSync('npx', command, { stdio: 'inherit', env });
process.exitCode = status ?? 1;
