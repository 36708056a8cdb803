/**
 * Damages the files of homes: `node scripts/flip-bytes.js [count] [seed]`. Flips one bit of every byte of a small
 * home, one at a time, or `count` bits at random places. Truncates, removes, zeroes and damages each file. Also
 * damages `count` homes of a real node at random, starts each, and prints the exit codes. Prints how many damages
 * were reported and how many change no readable data.
 */
import { runTests } from './run-tests.js';

const [count = 'every', seed] = process.argv.slice(2);
const tests = ['store/flipped-bytes', 'store/damaged-files', 'e2e/damaged-homes'].map((name) => `test/${name}.test.ts`);
runTests(tests, {
  CHRONICLED_FLIPS: count,
  CHRONICLED_DAMAGES: count === 'every' ? '1000' : count,
  CHRONICLED_TEST_SEED: seed,
});
