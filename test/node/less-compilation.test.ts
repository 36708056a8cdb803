import { spawnSync } from 'node:child_process';
import { afterEach, expect, it, vi } from 'vitest';
import { withLessCompilation } from '../../src/node/host/less-compilation.js';

const set = vi.hoisted(() => [] as string[]);
vi.mock('node:v8', () => ({ setFlagsFromString: (flag: string) => set.push(flag) }));

const LESS = ['--max-inlined-bytecode-size-cumulative=200', '--interrupt-budget=200000'];
const USUAL = ['--max-inlined-bytecode-size-cumulative=920', '--interrupt-budget=67584'];
const isNode20 = process.versions.v8.startsWith('11.3.');

afterEach(() => {
  set.length = 0;
});

it.skipIf(!isNode20)('less is compiled while a work runs, also one that fails', async () => {
  expect(await withLessCompilation(() => Promise.resolve([...set]))).toEqual(LESS);
  expect(set).toEqual([...LESS, ...USUAL]);
  await expect(withLessCompilation(() => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
  expect(set).toEqual([...LESS, ...USUAL, ...LESS, ...USUAL]);
});

it.skipIf(!isNode20)('of works that overlap, the last one to end sets the usual extent', async () => {
  let end = (): void => undefined;
  const outer = withLessCompilation(() => new Promise<void>((resolve) => (end = resolve)));
  await withLessCompilation(() => Promise.resolve());
  expect(set).toEqual(LESS);
  end();
  await outer;
  expect(set).toEqual([...LESS, ...USUAL]);
});

it.skipIf(!isNode20)('the usual extent is what V8 has without flags', () => {
  const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const flag of USUAL) expect(stdout).toContain(`default: ${flag}\n`);
});

it.skipIf(isNode20)('another version of V8 keeps its flags', async () => {
  await withLessCompilation(() => Promise.resolve());
  expect(set).toEqual([]);
});
