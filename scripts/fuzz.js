/**
 * Changed inputs for every decoder: `node scripts/fuzz.js [inputs of each] [seed] [keep]`, by default a million, which
 * take about half an hour. Prints for each decoder how many were taken, how many different answers it gave, and the
 * part of its sources that was executed. With `keep`, the shortest input for each answer is written to
 * `test/fuzz/corpus`, from which later runs go on.
 */
import { runTests } from './run-tests.js';

const [inputs = '1000000', seed, keep] = process.argv.slice(2);
runTests(['--testTimeout', '3600000', 'test/fuzz'], {
  CHRONICLED_FUZZ: inputs,
  CHRONICLED_TEST_SEED: seed,
  CHRONICLED_FUZZ_KEEP: keep === 'keep' ? '1' : undefined,
});
