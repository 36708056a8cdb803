/** Docstrings: every exported function of `src` has one, each begins with what it describes, and stands before it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = ['src', 'test', 'bench', 'scripts'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.[jt]s$/.test(path) && !/^src\/core\/proto\/|\/node_modules\//.test(path)),
);

/** A beginning that leaves the reader to find the subject. */
const RIDDLE = /^\s*\/\*\*(?: |\n\s*\* )(?:What|Which|As|The same|Those|Of|That)\b/gm;
const EXPORTED = /^export (?:async )?function\*? (\w+)/;

/** Lines of docstrings that begin with a riddle. */
function riddlesIn(source: string): readonly number[] {
  return [...source.matchAll(RIDDLE)].map(({ index }) => source.slice(0, index).split('\n').length);
}

/** Names of exported functions without a docstring; further signatures of an overload need none. */
function undescribedIn(source: string): readonly string[] {
  const lines = source.split('\n');
  const described = new Set<string>();
  return lines.flatMap((line, index) => {
    const name = EXPORTED.exec(line)?.[1];
    if (name === undefined || described.has(name)) return [];
    described.add(name);
    return lines[index - 1]?.trimEnd().endsWith('*/') === true ? [] : [name];
  });
}

/** Lines of docstrings that are followed by another one, so that they describe nothing; a file's first one may be. */
function orphansIn(source: string): readonly number[] {
  return [...source.matchAll(/\*\/\s*\n(?=\s*\/\*\*)/g)]
    .map(({ index }) => source.slice(0, index))
    .filter((before) => before.replace(/^#!.*\n/, '').lastIndexOf('/**') > 0)
    .map((before) => before.split('\n').length);
}

describe('the rules find what they forbid', () => {
  test('a docstring that begins with a riddle, in one line and in a block', () => {
    expect(riddlesIn('/** What a sender pays. */\n  /**\n   * That the sender pays for.\n   */')).toEqual([1, 2]);
    expect(riddlesIn('/** Gas that the sender pays for. What is left goes back. */')).toEqual([]);
  });

  test('a docstring before another one, below the header of a file', () => {
    expect(
      orphansIn('/** A file. */\n/** One. */\nconst one = 1;\n/** Two. */\n/** Three. */\nconst three = 3;'),
    ).toEqual([4]);
    expect(orphansIn('/**\n * A file.\n */\n\n/** One. */\n\nconst one = 1;\n/** Two. */\nconst two = 2;')).toEqual([]);
  });

  test('an exported function without a docstring', () => {
    expect(undescribedIn('/** Adds. */\nexport function add() {}\nexport function sub() {}')).toEqual(['sub']);
  });
});

test('docstrings begin with what they describe', () => {
  const found = files.flatMap((file) =>
    riddlesIn(readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
});

test('docstrings are directly before what they describe', () => {
  // a type of JSDoc in a file of JavaScript is a comment by itself
  const typescript = files.filter((file) => file.endsWith('.ts'));
  const found = typescript.flatMap((file) =>
    orphansIn(readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
});

test('exported functions have docstrings', () => {
  const sources = files.filter((file) => file.startsWith('src/'));
  const found = sources.flatMap((file) =>
    undescribedIn(readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});
