/**
 * Damages the files of homes: `node scripts/flip-bytes.js [count] [seed]`. One bit of every byte of a small home, one
 * at a time, or with a count so many bits at random places; each file cut, removed, zeroed and damaged; and so many
 * homes of a real node, each damaged in a random way and started, with its exit code. Prints how many damages were
 * reported and how many change no readable data.
 */
import { runTests } from './run-tests.js';

const [count = 'every', seed] = process.argv.slice(2);
const tests = ['store/flipped-bytes', 'store/damaged-files', 'e2e/damaged-homes'].map((name) => `test/${name}.test.ts`);
runTests(tests, {
  CHRONICLED_FLIPS: count,
  CHRONICLED_DAMAGES: count === 'every' ? '1000' : count,
  CHRONICLED_TEST_SEED: seed,
});
