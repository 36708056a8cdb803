/** Assertions stay in the built program, and their number in the sources does not fall. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { invariant } from '../../src/core/errors.js';

const root = new URL('../..', import.meta.url).pathname;
/** Calls of `invariant` in the sources. It falls where types say the same. */
const FEWEST = 180;

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|cjs)$/.test(file))
    .map((file) => join(root, folder, file));
}

/** The texts of assertions, which say what holds. */
function assertionsIn(folder: string): number {
  const sources = sourcesBelow(folder).map((file) => readFileSync(file, 'utf8'));
  return sources.reduce((sum, text) => sum + (text.match(/(?<!function )\binvariant\(/g) ?? []).length, 0);
}

test('invariant() throws in every environment when its condition is false', () => {
  expect(() => invariant(false, 'it holds')).toThrow('invariant: it holds');
  expect(String(invariant)).not.toMatch(/process|env|debug/i);
});

test(`the sources have at least ${FEWEST} calls of invariant()`, () => {
  expect(assertionsIn('src')).toBeGreaterThanOrEqual(FEWEST);
});

test.skipIf(!existsSync(join(root, 'dist')))(
  'the build has at least as many calls of invariant() as required of the sources',
  () => {
    expect(assertionsIn('dist')).toBeGreaterThanOrEqual(FEWEST);
  },
);
