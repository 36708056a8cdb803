/**
 * Kills a node thousands of times: `node scripts/kill-loop.js [kills] [seed]`. Three in ten kills come around
 * upgrades. Needs a build. Prints the counts of `test/e2e/kill.test.ts` and `test/e2e/upgrade-kills.test.ts`.
 */
import { runTests } from './run-tests.js';

const [kills = '2000', seed] = process.argv.slice(2);
const aroundUpgrades = Math.round(Number(kills) * 0.3);
runTests(['--maxWorkers=1', 'test/e2e/kill.test.ts', 'test/e2e/upgrade-kills.test.ts'], {
  CHRONICLED_KILLS: String(Number(kills) - aroundUpgrades),
  CHRONICLED_UPGRADE_KILLS: String(aroundUpgrades),
  CHRONICLED_TEST_SEED: seed,
});
