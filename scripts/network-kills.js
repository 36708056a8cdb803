/**
 * Kills the processes of four validators on four nodes: `node scripts/network-kills.js [blocks] [seed]`. Needs a
 * build and CometBFT 0.38 (`node scripts/install-clients.js`). Prints the counts of
 * `test/network/four-validators.test.ts`.
 */
import { runTests } from './run-tests.js';

const [blocks = '1000', seed] = process.argv.slice(2);
runTests(['--maxWorkers=1', 'test/network/four-validators.test.ts'], {
  CHRONICLED_NETWORK_BLOCKS: blocks,
  CHRONICLED_TEST_SEED: seed,
});
