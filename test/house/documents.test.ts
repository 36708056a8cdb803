/** Size and form of the documents that are written by hand; the pages of `docs/generated` are made by tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const WORDS = 45_000;
const WORDS_OF_CELL = 40;
/** One page: the words of a decision outside of its tables. */
const WORDS_OF_DECISION = 500;
const LINES_OF_CHANGELOG = 150;

const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file.replaceAll('\\', '/')}`);
const generated = inDocs.filter((file) => file.startsWith('docs/generated/'));
const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...inDocs.filter((file) => !generated.includes(file)),
];
const decisions = documents.filter((file) => file.startsWith('docs/decisions/'));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
const isRow = (line: string): boolean => line.trimStart().startsWith('|');

/** Cells of tables with more words than a cell may have. */
function longCells(text: string): readonly string[] {
  return text
    .split('\n')
    .filter(isRow)
    .flatMap((line) => line.split(/(?<!\\)\|/))
    .filter((cell) => words(cell) > WORDS_OF_CELL);
}

describe('documents', () => {
  test(`have at most ${WORDS} words`, () => {
    expect(documents.reduce((sum, file) => sum + words(read(file)), 0)).toBeLessThanOrEqual(WORDS);
  });

  test(`have at most ${WORDS_OF_CELL} words in a table cell`, () => {
    expect(longCells(`| a | ${'word '.repeat(WORDS_OF_CELL + 1)}|\n| b \\| c |`)).toHaveLength(1);
    expect(documents.flatMap((file) => longCells(read(file)).map((cell) => `${file}: ${cell.trim()}`))).toEqual([]);
  });

  test('that are generated name the test that makes them', () => {
    expect(generated.length).toBeGreaterThan(3);
    expect(generated.filter((file) => !/`test\/[\w/-]+\.test\.ts`/.test(read(file)))).toEqual([]);
  });
});

describe('decisions', () => {
  test.each(decisions)('%s has a question, a decision, reasons and consequences, on one page', (file) => {
    const text = read(file);
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(expect.arrayContaining(['Question', 'Decision', 'Why', 'Consequences']));
    const prose = text.split('\n').filter((line) => !isRow(line));
    expect(words(prose.join('\n'))).toBeLessThanOrEqual(WORDS_OF_DECISION);
  });
});

test(`the changelog has at most ${LINES_OF_CHANGELOG} lines, and a section for the version of the package`, () => {
  const changelog = read('CHANGELOG.md');
  expect(changelog.split('\n').length).toBeLessThanOrEqual(LINES_OF_CHANGELOG);
  const { version }: { readonly version: string } = JSON.parse(read('package.json'));
  expect(changelog).toContain(`\n## ${version}\n`);
});
