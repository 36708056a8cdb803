/**
 * One bit of every byte of a small home, one at a time: `node scripts/flip-bytes.js [count] [seed]`. A count flips that
 * many bits at random places instead. Prints how many flips were reported and how many change no readable data.
 */
import { spawnSync } from 'node:child_process';

const [count = 'every', seed] = process.argv.slice(2);
const env = { ...process.env, CHRONICLE_FLIPS: count, ...(seed !== undefined && { CHRONICLE_SEED: seed }) };
const { status } = spawnSync('npx', ['vitest', 'run', 'test/store/flipped-bytes.test.ts'], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
