/**
 * Feeds mutated inputs to every decoder: `node scripts/fuzz.js [inputs of each] [seed] [keep]`. The default is a
 * million inputs for each decoder, which takes about half an hour. Prints for each decoder how many inputs it
 * accepted, how many different answers it gave, and its code coverage. With `keep`, the shortest input for each
 * answer is written to `test/fuzz/corpus`, where later runs start.
 */
import { runTests } from './run-tests.js';

const [inputs = '1000000', seed, keep] = process.argv.slice(2);
runTests(['--testTimeout', '3600000', 'test/fuzz'], {
  CHRONICLED_FUZZ: inputs,
  CHRONICLED_TEST_SEED: seed,
  CHRONICLED_FUZZ_KEEP: keep === 'keep' ? '1' : undefined,
});
