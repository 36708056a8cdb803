/** No files of src import each other in a circle, also where one takes only a type of another. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCircle, type Imports } from './find-circle.js';

const src = join(import.meta.dirname, '..', '..', 'src');

const IMPORT = /^\s*(?:import|export)\s[^'";]*?from\s+'(\.[^']+)\.js'|\bimport\(\s*'(\.[^']+)\.js'\s*\)/gm;

function importsOf(file: string, source: string): readonly string[] {
  return Array.from(source.matchAll(IMPORT), ([, fixed, later]) => join(dirname(file), `${fixed ?? later}.ts`));
}

const imports: Imports = new Map(
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('core/proto/'))
    .map((file) => [file, importsOf(file, readFileSync(join(src, file), 'utf8'))]),
);

const planted = (file: string, source: string): Imports =>
  new Map([...imports, [file, [...(imports.get(file) ?? []), ...importsOf(file, source)]]]);

describe('the files of src', () => {
  test('are more than 1,000, with more than 5,000 imports', () => {
    expect(imports.size).toBeGreaterThan(1_000);
    expect([...imports.values()].flat().length).toBeGreaterThan(5_000);
  });

  test('import each other in one direction only', () => expect(findCircle(imports)).toBeUndefined());

  test.each([
    ['core/sdk/module/context.ts', "import type { AppVersion } from './app-version.js';"],
    ['node/node.ts', "import { runDaemon } from './daemon.js';"],
    ['core/errors.ts', "export type * from './node-api.js';"],
    ['config/options.ts', "const later = await import('./resolve.js');"],
  ])('that import in a circle are found: %s with %s', (file, source) => {
    expect(findCircle(planted(file, source))).toContain(file);
  });
});
