/**
 * The long forms of the attacks of `test/attacks`, with the times of a good client beside each: `node
 * scripts/attacks.js [name]`. Needs a build. `CHRONICLED_PROGRAM` names the `main.js` of another build.
 */
import { runTests } from './run-tests.js';

const [name] = process.argv.slice(2);
const only = name === undefined ? [] : ['-t', name];
runTests(['test/attacks/attacks.test.ts', ...only], { CHRONICLED_ATTACKS: 'long' });
