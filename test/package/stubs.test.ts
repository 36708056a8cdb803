import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary.js';
import { copyOfSources, root, run } from './installed-package.js';

const NAMES = ['rxjs', 'xstate'];
/** Names the package that throws when it is loaded. */
const STUB = 'STUB_OF_TEST';

/** A build of a copy of the sources in which each of the packages throws if the environment names it. */
let copy: string;

beforeAll(async () => {
  copy = copyOfSources();
  const modules = join(copy, 'node_modules');
  rmSync(modules);
  mkdirSync(modules);
  for (const entry of readdirSync(join(root, 'node_modules'))) {
    const original = join(root, 'node_modules', entry);
    const target = join(modules, entry);
    if (NAMES.includes(entry)) writeStub(target, entry, original);
    else symlinkSync(original, target);
  }
  await run(process.execPath, [join(copy, 'scripts', 'build.js')], { cwd: copy });
}, 120_000);

function writeStub(folder: string, name: string, original: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '0.0.0', main: 'index.js' }));
  writeFileSync(
    join(folder, 'index.js'),
    `if (process.env.${STUB} === '${name}') throw new Error('${name} is a stub');\nmodule.exports = require('${original}');\n`,
  );
}

test.each(NAMES)('a node does not start when its package %s throws, and says so', async (name) => {
  const started = await run(
    process.execPath,
    [join(copy, 'dist', 'node', 'main.js'), 'dev', '--ephemeral', '--port-base', '0'],
    { cwd: copy, env: { HOME: temporaryFolder(), [STUB]: name } },
  );
  expect(started.code).not.toBe(0);
  expect(started.stderr).toContain(`${name} is a stub`);
});
