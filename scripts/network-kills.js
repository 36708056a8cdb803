/**
 * Four validators over four nodes, whose processes are killed: `node scripts/network-kills.js [blocks] [seed]`. Needs a
 * build and CometBFT 0.38 (`node scripts/install-clients.js`). Prints the counts of
 * `test/network/four-validators.test.ts`.
 */
import { spawnSync } from 'node:child_process';

const [blocks = '1000', seed] = process.argv.slice(2);
const env = {
  ...process.env,
  CHRONICLED_NETWORK_BLOCKS: blocks,
  ...(seed !== undefined && { CHRONICLED_TEST_SEED: seed }),
};
const test = 'test/network/four-validators.test.ts';
const { status } = spawnSync('npx', ['vitest', 'run', '--maxWorkers=1', test], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
