/**
 * The engine's arithmetic of BN254 against another implementation: `node scripts/bn254-differential.js [inputs]
 * [seed]`, by default 10 million inputs, which take about half an hour.
 */
import { spawnSync } from 'node:child_process';

const [inputs = '10000000', seed] = process.argv.slice(2);
const env = { ...process.env, CHRONICLED_BN254: inputs, ...(seed !== undefined && { CHRONICLE_SEED: seed }) };
const { status } = spawnSync('npx', ['vitest', 'run', 'test/core/evm/bn254-differential.test.ts'], {
  stdio: 'inherit',
  env,
});
process.exitCode = status ?? 1;
