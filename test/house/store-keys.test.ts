import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { presets } from '../../src/core/app/presets.js';
import { root } from '../package/installed-package.js';

const core = join(root, 'src', 'core');

/** Sources by path below `src/core`. */
type Sources = ReadonlyMap<string, string>;

const sources: Sources = new Map(
  readdirSync(core, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('proto'))
    .map((file) => [file, readFileSync(join(core, file), 'utf8')]),
);

/** The store whose keys a file declares: its constant `STORE`, or the one that it imports by that name. */
function storeOf(files: Sources, file: string): string | undefined {
  const source = files.get(file) ?? '';
  const [, declared] = /const STORE = '(\w+)'/.exec(source) ?? [];
  if (declared !== undefined) return declared;
  const [, path] = /import \{[^}]*\bSTORE\b(?! as)[^}]*\} from '([^']+)\.js'/.exec(source) ?? [];
  return path === undefined ? undefined : storeOf(files, join(file, '..', `${path}.ts`));
}

const DECLARED = /^(?:export )?const (\w*(?:KEY|PREFIX)) = (Uint8Array\.of|prefix|utf8)\(([^)]*)\);/gm;

/** The bytes that begin the keys of a constant, as a text of numbers. */
function bytesOf(made: string, written: string): string {
  if (made === 'utf8') return [...Buffer.from(written.slice(1, -1))].join();
  return written.split(',').map(Number).join();
}

/** Names of constants by store and by the bytes that they begin keys with. */
function keysOf(files: Sources): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [file, source] of files)
    for (const [, name = '', made = '', written = ''] of source.matchAll(DECLARED)) {
      const at = `${storeOf(files, file)} ${bytesOf(made, written)}`;
      found.set(at, [...(found.get(at) ?? []), name]);
    }
  return found;
}

const shared = (files: Sources): readonly string[] =>
  [...keysOf(files)].filter(([, names]) => names.length > 1).map(([at, names]) => `${at}: ${names.join(', ')}`);

test('no two key prefixes of a store are equal', () => {
  expect(shared(sources)).toEqual([]);
});

test('key prefixes are found for every store', () => {
  const stores = new Set([...keysOf(sources).keys()].map((at) => at.split(' ')[0]));
  const known = Object.values(presets).flatMap((preset) => preset.stores);
  // the keys of ibc are paths, and consensus has the one
  expect(known.filter((store) => !stores.has(store) && store !== 'ibc')).toEqual([]);
  expect(stores).not.toContain('undefined');
});

test('a duplicate key prefix is found, in the file of the store and in another file', () => {
  const files = [...sources.keys()].filter((file) => /modules\/dev\/store|development-chain/.test(file));
  expect(files).toHaveLength(2);
  for (const file of files) {
    const planted = new Map([...sources, [file, `${sources.get(file)}\nconst OTHER_KEY = Uint8Array.of(6);\n`]]);
    expect(shared(planted)).toHaveLength(1);
  }
});
