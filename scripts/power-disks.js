/**
 * Checks pictures of a real ext4 disk around switches of LevelDB's write-ahead log: `node scripts/power-disks.js
 * [count] [seed]`. Takes `count` pictures (default 500) of nodes under load and mounts each. A start and `log verify`
 * must accept the home on it, with every block that was published before. Every tenth home is also opened by a whole
 * node and by `log rebuild`, `rollback` and `export`. Needs a build, root, loop devices, mkfs.xfs and mkfs.ext4, and
 * some GB in the folder for temporary files.
 */
import { runTests } from './run-tests.js';

const [count = '500', seed = '1'] = process.argv.slice(2);
runTests(['--maxWorkers=1', 'test/power/power-disks.test.ts'], { CHRONICLED_DISKS: count, CHRONICLED_TEST_SEED: seed });
