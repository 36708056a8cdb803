/**
 * Changed inputs for every decoder: `node scripts/fuzz.js [inputs of each] [seed]`, by default a million, which take
 * about half an hour. Prints how many were taken.
 */
import { spawnSync } from 'node:child_process';

const [inputs = '1000000', seed] = process.argv.slice(2);
const env = { ...process.env, CHRONICLED_FUZZ: inputs, ...(seed !== undefined && { CHRONICLE_SEED: seed }) };
const { status } = spawnSync('npx', ['vitest', 'run', 'test/fuzz'], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
