/**
 * Thousands of kills: `node scripts/kill-loop.js [kills] [seed]`. Needs a build. Prints the counts of
 * `test/e2e/kill.test.ts`.
 */
import { spawnSync } from 'node:child_process';

const [kills = '2000', seed] = process.argv.slice(2);
const env = { ...process.env, CHRONICLE_KILLS: kills, ...(seed !== undefined && { CHRONICLE_SEED: seed }) };
const { status } = spawnSync('npx', ['vitest', 'run', 'test/e2e/kill.test.ts'], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
