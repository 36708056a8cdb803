/**
 * Prints what to do when `npm start` runs before `npm ci`: without its packages the build would fail with a stack.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The first package that the build imports. */
const NEEDED = new URL('../node_modules/rolldown/package.json', import.meta.url);

if (!existsSync(NEEDED)) {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  process.stderr.write(`The packages of ${folder} are not installed.\nInstall them with: npm ci\n`);
  process.exitCode = 3;
}
