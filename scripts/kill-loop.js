/**
 * Thousands of kills: `node scripts/kill-loop.js [kills] [seed]`, three in ten of them around upgrades. Needs a build.
 * Prints the counts of `test/e2e/kill.test.ts` and `test/e2e/upgrade-kills.test.ts`.
 */
import { spawnSync } from 'node:child_process';

const [kills = '2000', seed] = process.argv.slice(2);
const aroundUpgrades = Math.round(Number(kills) * 0.3);
const env = {
  ...process.env,
  CHRONICLED_KILLS: String(Number(kills) - aroundUpgrades),
  CHRONICLED_UPGRADE_KILLS: String(aroundUpgrades),
  ...(seed !== undefined && { CHRONICLED_TEST_SEED: seed }),
};
const tests = ['test/e2e/kill.test.ts', 'test/e2e/upgrade-kills.test.ts'];
const { status } = spawnSync('npx', ['vitest', 'run', '--maxWorkers=1', ...tests], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
