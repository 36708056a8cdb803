/**
 * Random histories of packets between two chains: `node scripts/ibc-packets.js [histories] [seed]`, by default 20,000,
 * which take about half an hour. Every thousand begins with new chains and a seed of its own, counted upwards, which
 * the name of the test shows; the first one that fails ends the run.
 */
import { runTests } from './run-tests.js';

const SLICE = 1_000;
const [histories = '20000', seed = '1'] = process.argv.slice(2);
for (let done = 0; done < Number(histories) && !process.exitCode; done += SLICE)
  runTests(['--reporter=verbose', 'test/core/modules/ibc/chains/packets.test.ts'], {
    CHRONICLED_HISTORIES: String(Math.min(SLICE, Number(histories) - done)),
    CHRONICLED_TEST_SEED: String(Number(seed) + done / SLICE),
  });
