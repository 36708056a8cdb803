/** The content of `dist` after a build, in a copy of the sources. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { copyOfSources, run } from './installed-package.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A copy of the sources that is built once; the tests change it in order. */
let copy: string;
const inDist = (path: string): string => join(copy, 'dist', path);

/** Runs the build. Returns whether it wrote `dist` again. */
async function isBuilt(): Promise<boolean> {
  const launcher = inDist('launch.cjs');
  if (existsSync(launcher)) utimesSync(launcher, new Date(0), new Date(0));
  expect(await run(process.execPath, ['scripts/build.js'], { cwd: copy })).toMatchObject({ code: 0 });
  return statSync(launcher).mtimeMs > 0;
}

function oldFile(path: string, age: number): string {
  const whole = inDist(path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, '');
  utimesSync(whole, new Date(), new Date(Date.now() - age));
  return whole;
}

beforeAll(() => {
  copy = copyOfSources();
});

test(
  'a build keeps the chunks of earlier builds for a day, because running nodes may still load them',
  { timeout: 120_000 },
  async () => {
    const [fresh, old, types] = [
      oldFile('code/chunks/fresh-00000000.cjs', DAY_MS / 2),
      oldFile('code/chunks/old-00000000.cjs', 2 * DAY_MS),
      oldFile('index.d.ts', 2 * DAY_MS),
    ];
    expect(await isBuilt()).toBe(true);
    expect([fresh, old, types].map(existsSync)).toEqual([true, false, true]);
  },
);

test('a build is skipped while its inputs and outputs are unchanged', { timeout: 120_000 }, async () => {
  const page = join(copy, 'src', 'adapters', 'pages', 'browser', 'app.html');
  expect(await isBuilt()).toBe(false);
  const changes: readonly (() => void)[] = [
    () => writeFileSync(page, `${readFileSync(page, 'utf8')}<!-- changed -->`),
    () => rmSync(inDist('pages/app.html')),
  ];
  for (const change of changes) {
    change();
    expect([await isBuilt(), await isBuilt()], change.toString()).toEqual([true, false]);
  }
  expect(readFileSync(inDist('pages/app.html'), 'utf8')).toContain('<!-- changed -->');
});
