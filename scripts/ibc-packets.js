/**
 * Runs random packet histories between two chains: `node scripts/ibc-packets.js [histories] [seed]`. The default is
 * 20,000 histories, which take about half an hour. Every thousand histories use new chains and the next seed, which
 * the test title shows. The first failure ends the run.
 */
import { runTests } from './run-tests.js';

const SLICE = 1_000;
const [histories = '20000', seed = '1'] = process.argv.slice(2);
for (let done = 0; done < Number(histories) && !process.exitCode; done += SLICE)
  runTests(['--reporter=verbose', 'test/core/modules/ibc/chains/packets.test.ts'], {
    CHRONICLED_HISTORIES: String(Math.min(SLICE, Number(histories) - done)),
    CHRONICLED_TEST_SEED: String(Number(seed) + done / SLICE),
  });
