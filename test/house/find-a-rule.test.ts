/** docs/FIND-A-RULE.md: each search finds the file of its rule, and few others. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const MOST = 6;

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('core/proto/'))
  .map((file) => ({ file: `src/${file}`, text: readFileSync(join(root, 'src', file), 'utf8').toLowerCase() }));

/** Files that have the words in their name or text, in letters of either case. */
function find(words: string): readonly string[] {
  const wanted = words.toLowerCase();
  return sources.filter(({ file, text }) => file.includes(wanted) || text.includes(wanted)).map(({ file }) => file);
}

const rows = [
  ...readFileSync(join(root, 'docs', 'FIND-A-RULE.md'), 'utf8').matchAll(
    /^\| ([^|]+\?) \| `([^`]+)` \| `([^`]+)` \|$/gm,
  ),
].map(([, question = '', search = '', file = '']) => ({ question, search, file }));

describe('docs/FIND-A-RULE.md', () => {
  test('has twelve rules', () => expect(rows).toHaveLength(12));

  test.each(rows)('$question', ({ search, file }) => {
    const found = find(search);
    expect(found).toContain(file);
    expect(found.length).toBeLessThanOrEqual(MOST);
  });

  test('has a search that rejects unknown and too frequent words', () => {
    expect(find('no such rule anywhere')).toEqual([]);
    expect(find('block').length).toBeGreaterThan(MOST);
  });
});
