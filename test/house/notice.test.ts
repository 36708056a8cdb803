/** `NOTICE` names every part of the package that others wrote and that `dist/LICENSES.txt` does not list. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const notice = read('NOTICE');
const [, parts = '', texts = ''] = /\nPARTS\n([\s\S]*)\nTEXTS\n([\s\S]*)$/.exec(notice) ?? [];
const { files }: { readonly files: readonly string[] } = JSON.parse(read('package.json'));

/** Rows below the heading of a folder: name, licence, and who holds the rights. */
function rowsOf(folder: string): readonly { readonly name: string; readonly licence: string; readonly by: string }[] {
  const [, section = ''] = new RegExp(`^${folder}/ .*\\n\\n((?:  .*\\n)+)`, 'm').exec(parts) ?? [];
  return [...section.matchAll(/^ {2}(\S+) {2,}(\S.*?) {2,}(\S.*)$/gm)].map(([, name = '', licence = '', by = '']) => ({
    name,
    licence,
    by,
  }));
}

describe('NOTICE', () => {
  test('is in the package, together with LICENSE', () => {
    expect(files).toEqual(expect.arrayContaining(['NOTICE', 'LICENSE']));
    expect(read('LICENSE')).toContain('Apache License');
  });

  test('has a row for every folder of proto', () => {
    const folders = readdirSync(join(root, 'proto'));
    const named = rowsOf('proto').map(({ name }) => name);
    expect(folders.filter((folder) => !named.includes(folder))).toEqual([]);
    const absent = named.filter((name) => readdirSync(join(root, 'proto', name)).length === 0);
    expect(absent).toEqual([]);
  });

  test('names the libraries within the native binaries', () => {
    const bytes = readFileSync(join(root, 'node_modules/uWebSockets.js/dist/bin/uws_linux_x64_115.node'), 'latin1');
    const marks: ReadonlyMap<string, string> = new Map([
      ['boringssl_self_test', 'BoringSSL'],
      ['fiat_', 'fiat-crypto'],
      ['lsquic_engine', 'lsquic'],
      ['deflateInit', 'zlib'],
      ['uWebSockets', 'uWebSockets'],
    ]);
    const within = [...marks].filter(([mark]) => bytes.includes(mark)).map(([, library]) => library);
    expect(within.length).toBeGreaterThan(2);
    const named = rowsOf('native').map(({ name }) => name);
    expect(within.filter((library) => !named.includes(library))).toEqual([]);
  });

  test('has the text of every licence that it names, except Apache-2.0 and the public domain', () => {
    const licences = [...parts.matchAll(/^ {2}\S+ {2,}([A-Z][\w.-]+(?:(?: AND |, )[A-Z][\w.-]+)*)/gm)].flatMap(
      ([, named = '']) => named.split(/ AND |, /),
    );
    expect(new Set(licences).size).toBeGreaterThan(4);
    const without = ['Apache-2.0', 'CC0-1.0', 'Unlicense'];
    const headings = [...texts.matchAll(/^(.+)\n-+$/gm)].flatMap(([, heading = '']) => heading.split(', '));
    expect(licences.filter((licence) => !without.includes(licence) && !headings.includes(licence))).toEqual([]);
  });
});

test('dist/LICENSES.txt has a text for each package', () => {
  const sections = read('dist/LICENSES.txt').split(/\n-{80}\n\n/);
  expect(sections.length).toBeGreaterThan(10);
  expect(sections.filter((section) => (section.split('\n\n')[1] ?? '').trim() === '')).toEqual([]);
});
