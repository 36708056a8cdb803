/** The files of `engine/src` import each other without a circle. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCircle } from './find-circle.js';

const SOURCE = join(import.meta.dirname, '..', '..', 'engine', 'src');

/** Paths that the text of a `use` names, from the crate on: `a::{b, c::D}` names `a::b` and `a::c::D`. */
function pathsOf(tree: string, prefix = ''): readonly string[] {
  const paths: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at <= tree.length; at += 1) {
    const character = tree[at] ?? ',';
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    if (character !== ',' || depth > 0) continue;
    const part = tree.slice(start, at).trim();
    start = at + 1;
    if (part === '') continue;
    const [, head = '', inner] = /^([^{]*)\{(.*)\}$/s.exec(part) ?? [];
    paths.push(...(inner === undefined ? [`${prefix}${part}`] : pathsOf(inner, `${prefix}${head}`)));
  }
  return paths;
}

/** Files that a text imports, by their paths below `engine/src` without the ending. */
function importsOf(text: string, files: ReadonlySet<string>): readonly string[] {
  const trees = [...text.matchAll(/\bcrate::(\{[^;]*\}|[^;({]*(?:\{[^;]*\})?)/g)].map(([, tree = '']) => tree);
  return trees
    .flatMap((tree) => pathsOf(tree))
    .flatMap((path) => {
      const names = path.match(/\w+/g) ?? [];
      const lengths = [...names.keys()].map((index) => index + 1);
      return lengths.map((length) => names.slice(0, length).join('/')).filter((name) => files.has(name));
    });
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.rs') && name !== 'lib.rs')
  .map((name) => name.slice(0, -'.rs'.length));
const textOf = (file: string): string => readFileSync(join(SOURCE, `${file}.rs`), 'utf8');

test('the files of the engine import each other without a circle', () => {
  const known = new Set(files);
  const graph = new Map(files.map((file) => [file, importsOf(textOf(file), known)]));
  expect(files.length).toBeGreaterThan(40);
  expect(graph.get('exports/call')).toContain('vm/execute');
  expect(findCircle(graph)).toBeUndefined();
});

test('a circle of imports is found, also through braces and paths in code', () => {
  const known = new Set(['a/one', 'a/two', 'b/three']);
  const graph = new Map([
    ['a/one', importsOf('use crate::{\n    a::two::{self, Two},\n};', known)],
    ['a/two', importsOf('use crate::b::{three::{Three, self}};', known)],
    ['b/three', importsOf('fn run() { crate::a::one::run(1); }', known)],
  ]);
  expect(findCircle(graph)).toEqual(['a/one', 'a/two', 'b/three', 'a/one']);
});

test('the engine imports by crate:: paths only, which this test reads', () => {
  expect(files.filter((file) => /\b(?:super|self)::/.test(textOf(file)))).toEqual([]);
});
