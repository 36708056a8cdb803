/**
 * Takes the screenshots of README and docs in a Chromium of the system, on a chain that it starts and fills.
 *
 *     node scripts/pictures.js
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
execFileSync('npx', ['vitest', 'run', 'test/e2e/pictures.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, CHRONICLED_PICTURES: '1' },
});
