import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary.js';
import { copyOfSources, root, run } from './installed-package.js';

/** A copy of the sources whose installation has a package that throws when it is loaded. */
function withStub(name: string): string {
  const copy = copyOfSources();
  const modules = join(copy, 'node_modules');
  rmSync(modules);
  mkdirSync(modules);
  for (const entry of readdirSync(join(root, 'node_modules')))
    if (entry !== name) symlinkSync(join(root, 'node_modules', entry), join(modules, entry));
  mkdirSync(join(modules, name));
  writeFileSync(join(modules, name, 'package.json'), JSON.stringify({ name, version: '0.0.0', main: 'index.js' }));
  writeFileSync(join(modules, name, 'index.js'), `throw new Error('${name} is a stub');\n`);
  return copy;
}

test.each(['rxjs', 'xstate'])('a node does not start when its package %s throws, and says so', async (name) => {
  const copy = withStub(name);
  await run(process.execPath, [join(copy, 'scripts', 'build.js')], { cwd: copy });
  const started = await run(
    process.execPath,
    [join(copy, 'dist', 'node', 'main.js'), 'dev', '--ephemeral', '--port-base', '0'],
    { cwd: copy, env: { HOME: temporaryFolder() } },
  );
  expect(started.code).not.toBe(0);
  expect(started.stderr).toContain(`${name} is a stub`);
});
