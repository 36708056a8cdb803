/**
 * Runs the long forms of the attacks of `test/attacks` and prints the response times of a well-behaved client during
 * each: `node scripts/attacks.js [name]`. Needs a build. `CHRONICLED_PROGRAM` names the `main.js` of another build.
 */
import { runTests } from './run-tests.js';

const [name] = process.argv.slice(2);
const only = name === undefined ? [] : ['-t', name];
runTests(['test/attacks/attacks.test.ts', ...only], { CHRONICLED_ATTACKS: 'long' });
