import { describe, expect, test } from 'vitest';
import { render, yamlOf } from '../../src/cli/table/output.js';
import { goldenLines, hasGolden } from '../support/golden.js';

interface RecordedRun {
  readonly args: readonly string[];
  readonly exit: number;
  readonly stdout: string;
}

/** Recorded outputs are cut off here. */
const CUT = 8_000;

/** Commands that were recorded twice, as text and as JSON, with no block in between. */
function recordedPairs(): readonly { readonly name: string; readonly text: string; readonly json: string }[] {
  const runs = ['faces/cli.jsonl', 'faces/cli-2.jsonl']
    .flatMap((file) => goldenLines<RecordedRun>(file))
    .filter(({ exit, args }) => exit === 0 && args[0] === 'query');
  const key = (args: readonly string[]): string => args.join(' ').replace(' -o json', '');
  const texts = new Map(runs.filter(({ args }) => !args.includes('-o')).map(({ args, stdout }) => [key(args), stdout]));
  return runs
    .filter(({ args }) => args.includes('-o') && args.includes('json'))
    .flatMap(({ args, stdout }) => {
      const text = texts.get(key(args));
      const moves = /supply|total|"height"|timestamp|inflation|pool|rewards|provisions/.test(stdout);
      return text === undefined || moves || !/^[[{]/.test(stdout) || stdout.length >= CUT
        ? []
        : [{ name: key(args), text, json: stdout }];
    });
}

describe.skipIf(!hasGolden)('text output equals the YAML that the SDK prints for the same JSON', () => {
  const pairs = hasGolden ? recordedPairs() : [];
  test('there are recorded pairs', () => expect(pairs.length).toBeGreaterThan(10));
  test.each(pairs)('$name', ({ text, json }) => {
    expect(yamlOf(JSON.parse(json))).toBe(text);
  });
});

test.each(['text', 'json'] as const)('control characters are escaped in %s output', (output) => {
  const rendered = render({ 'name\u009b2J': 'a\u001b[2J', memo: '\u009b2J\r' }, output);
  expect(rendered).not.toMatch(/[^\P{Cc}\n]/u);
  expect(rendered).toContain('\\u009b2J');
});

test('text that YAML would read as another type is quoted', () => {
  expect(
    yamlOf({
      a: '1',
      b: 'true',
      c: '',
      d: 'plain text',
      e: 'a: b',
      f: "it's",
      g: '- x',
      h: 'line\nbreak',
      i: null,
      j: 3,
      k: [],
      l: {},
    }),
  ).toBe(
    'a: "1"\nb: "true"\nc: ""\nd: plain text\ne: \'a: b\'\nf: it\'s\ng: \'- x\'\nh: "line\\nbreak"\ni: null\nj: 3\nk: []\nl: {}\n',
  );
});
