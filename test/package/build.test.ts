/** The content of `dist` after a build, in a copy of the sources. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { copyOfSources, run } from './installed-package.js';

const DAY_MS = 24 * 60 * 60 * 1000;

test(
  'parts that an earlier build made stay for a day, for nodes that run and load them later; a package has none of them',
  { timeout: 120_000 },
  async () => {
    const copy = copyOfSources();
    const file = (path: string, age: number): string => {
      const whole = join(copy, 'dist', path);
      mkdirSync(dirname(whole), { recursive: true });
      writeFileSync(whole, '');
      utimesSync(whole, new Date(), new Date(Date.now() - age));
      return whole;
    };
    const [fresh, old, types] = [
      file('code/chunks/fresh-00000000.cjs', DAY_MS / 2),
      file('code/chunks/old-00000000.cjs', 2 * DAY_MS),
      file('index.d.ts', 2 * DAY_MS),
    ];
    expect(await run(process.execPath, ['scripts/build.js'], { cwd: copy })).toMatchObject({ code: 0 });
    expect([fresh, old, types].map(existsSync)).toEqual([true, false, true]);
    expect(await run(process.execPath, ['scripts/build.js', '--package'], { cwd: copy })).toMatchObject({ code: 0 });
    expect([fresh, types].map(existsSync)).toEqual([false, true]);
    expect((await run(process.execPath, ['dist/node/main.js', '--help'], { cwd: copy })).code).toBe(0);
  },
);

test(
  'a build is left out while all that it reads and all that it wrote is as it was',
  { timeout: 120_000 },
  async () => {
    const copy = copyOfSources();
    const launcher = join(copy, 'dist', 'launch.cjs');
    const page = join(copy, 'src', 'adapters', 'pages', 'browser', 'app.html');
    const isBuilt = async (): Promise<boolean> => {
      if (existsSync(launcher)) utimesSync(launcher, new Date(0), new Date(0));
      expect(await run(process.execPath, ['scripts/build.js'], { cwd: copy })).toMatchObject({ code: 0 });
      return statSync(launcher).mtimeMs > 0;
    };
    expect(await isBuilt()).toBe(true);
    expect(await isBuilt()).toBe(false);
    const changes: readonly (() => void)[] = [
      () => writeFileSync(page, `${readFileSync(page, 'utf8')}<!-- changed -->`),
      () => rmSync(join(copy, 'dist', 'pages', 'app.html')),
    ];
    for (const change of changes) {
      change();
      expect([await isBuilt(), await isBuilt()], change.toString()).toEqual([true, false]);
    }
    expect(readFileSync(join(copy, 'dist', 'pages', 'app.html'), 'utf8')).toContain('<!-- changed -->');
  },
);
