/**
 * The long forms of the attacks of `test/attacks`, with the times of a good client beside each: `node
 * scripts/attacks.js [name]`. Needs a build. `CHRONICLED_PROGRAM` names the `main.js` of another build.
 */
import { spawnSync } from 'node:child_process';

const [name] = process.argv.slice(2);
const env = { ...process.env, CHRONICLED_ATTACKS: 'long' };
const only = name === undefined ? [] : ['-t', name];
const { status } = spawnSync('npx', ['vitest', 'run', 'test/attacks/attacks.test.ts', ...only], {
  stdio: 'inherit',
  env,
});
process.exitCode = status ?? 1;
