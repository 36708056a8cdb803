/**
 * Walks every view of the application with a Chromium of the system, at desktop and phone size, light and dark, on
 * chains of many kinds, all of them by default: `node scripts/walk-views.js
 * [fresh,mixed,halted,hostile,long,evmd,comet]`.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
execFileSync('npx', ['vitest', 'run', 'test/e2e/view-walk.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, CHRONICLED_WALK: process.argv[2] ?? 'all' },
});
