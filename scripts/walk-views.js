/**
 * Opens every view of the application in a Chromium of the system, at desktop and phone size, light and dark. The
 * chains are of many kinds, by default all: `node scripts/walk-views.js
 * [fresh,mixed,halted,hostile,long,evmd,comet]`. With `node scripts/walk-views.js --home DIR` it uses the chain of a
 * home and adds no block to it.
 */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [first = 'all', home] = process.argv.slice(2);
execFileSync('npx', ['vitest', 'run', 'test/e2e/view-walk.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    CHRONICLED_WALK: first === '--home' ? 'home' : first,
    ...(home !== undefined && { CHRONICLED_WALK_HOME: resolve(home) }),
  },
});
