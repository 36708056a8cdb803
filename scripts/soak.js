/**
 * Grows the chain of a node: `node scripts/soak.js [blocks] [steps] [seed]`, by default 100,000 blocks in 20 steps.
 * Needs a build. Every step starts the node, sends transactions, makes blocks, measures, and kills or stops the node.
 * From the third step on, states and blocks are pruned. Prints a row for each step and the slopes of
 * `test/e2e/soak.test.ts`.
 */
import { runTests } from './run-tests.js';

const [blocks = '100000', steps = '20', seed] = process.argv.slice(2);
runTests(['--maxWorkers=1', '--reporter=verbose', 'test/e2e/soak.test.ts'], {
  CHRONICLED_SOAK_BLOCKS: blocks,
  CHRONICLED_SOAK_STEPS: steps,
  CHRONICLED_TEST_SEED: seed,
});
