/**
 * Checks thousands of pictures of disks after power cuts: `node scripts/power-cuts.js [--pictures 20000] [--seed 1]
 * [--recordings <folder>] [--load <name>]`. Records runs of this build with strace, or takes the recordings of the
 * folder, and opens possible disk contents at moments of them (`test/power`). Prints each broken picture with its
 * load and seed; the same folder, load and seed with `--pictures 1` reproduce it. `--record` writes the short
 * recordings that `npm test` uses. Needs a build.
 */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from './run-tests.js';

const { values } = parseArgs({
  options: {
    pictures: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    recordings: { type: 'string' },
    load: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});
const MEMORY = '/dev/shm';
const recordings = values.recordings ?? mkdtempSync(join(tmpdir(), 'power-cuts-'));
// Pictures are opened in memory, where a sync costs nothing.
const memory = existsSync(MEMORY) ? { TMPDIR: MEMORY } : {};
const words = ['--maxWorkers=1', 'test/power/power-cuts.test.ts'];
if (values.record)
  runTests([...words, '-t', 'is recorded'], { ...memory, CHRONICLED_RECORD: '1', CHRONICLED_LOAD: values.load });
else {
  runTests(words, {
    ...memory,
    CHRONICLED_PICTURES: values.pictures,
    CHRONICLED_TEST_SEED: values.seed,
    CHRONICLED_RECORDINGS: recordings,
    CHRONICLED_LOAD: values.load,
  });
  process.stdout.write(`recordings: ${recordings}\n`);
}
