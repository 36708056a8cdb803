/** The form of comments and documents: their sources can be opened, their paths exist, their sentences are plain. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, isRepository, ROOT, TRACKED } from '../support/tracked-files.js';
import { commentsOf, pathsIn, sentencesOf } from './comments.js';

/** This file must contain the texts that it forbids. */
const SELF = 'test/house/prose.test.ts';
const WIDTH = 120;
const SUBJECT_CHARACTERS = 72;
/** Subjects of earlier commits are longer. */
const SUBJECTS_SINCE = 'e1560f54a76eda0cfb02af1619327c6ff74e7787';

const tracked = TRACKED.filter((file) => file !== SELF && existsSync(join(ROOT, file)));
const sources = tracked.filter((file) => /\.(ts|js|rs)$/.test(file) && !file.startsWith('src/core/proto/'));
/** The engine's module holds the line numbers of its sources, which are therefore not wrapped again. */
const wrapped = sources.filter((file) => !file.endsWith('.rs'));
const documents = tracked.filter((file) => file.endsWith('.md'));

interface Passage {
  readonly place: string;
  readonly text: string;
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const comments: readonly Passage[] = sources.flatMap((file) =>
  commentsOf(read(file)).map(({ line, text }) => ({ place: `${file}:${line}`, text })),
);
const paragraphs: readonly Passage[] = documents.flatMap((file) =>
  read(file)
    .split('\n')
    .map((text, index) => ({ place: `${file}:${index + 1}`, text })),
);

/** Titles of tests. */
const titles: readonly Passage[] = sources.flatMap((file) =>
  read(file)
    .split('\n')
    .flatMap((text, index) => {
      const title = /\b(?:test|it|describe)(?:\.\w+)*\((['"`])(.*?)\1/.exec(text)?.[2];
      return title === undefined ? [] : [{ place: `${file}:${index + 1}`, text: title }];
    }),
);

/** Forms in which a text cites a document that readers of the repository cannot open. */
const UNAVAILABLE: readonly RegExp[] = [
  /\bdesign(\.md)?,? (sections? )?\d/i,
  /\bdesign sections?\b/i,
  /\((design|brief|specification) (sections? )?\d/i,
  /\b(by|of|in|from) the brief\b/i,
  /\b[Ii]ssue #?\d+/,
  /(^|[\s(,])[SQFPE]\d{1,2}(-[SQFPE]?\d{1,2})?(?=[),:;]|\.?$)/,
];

/** A document by its bare name. A path is that of a file of the repository, or of a project that the text names. */
const BARE_DOCUMENT = /(?<![\w./+-])[A-Za-z][\w+-]*\.md\b/g;
const documentNames = new Set(documents.map((file) => basename(file)));

/** Documents that a text names and the repository does not have. */
const missingDocuments = (passages: readonly Passage[]): readonly string[] =>
  passages.flatMap(({ place, text }) =>
    [...text.matchAll(BARE_DOCUMENT)].filter(([name]) => !documentNames.has(name)).map(([name]) => `${place}: ${name}`),
  );

/** Subjects that hide what is described: a clause, or a negation. */
const RIDDLE = /^(Who|Whoever|Whom|Whose|Nobody|None|Nothing but)\b/;

const found = (passages: readonly Passage[], patterns: readonly RegExp[]): readonly string[] =>
  passages
    .filter(({ text }) => patterns.some((pattern) => pattern.test(text)))
    .map(({ place, text }) => `${place}: ${text.slice(0, 160)}`);

const missingPaths = (passages: readonly Passage[]): readonly string[] =>
  passages.flatMap(({ place, text }) =>
    pathsIn(text)
      .filter((path) => !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, dirname(place), path)))
      .map((path) => `${place}: ${path}`),
  );

const riddles = (passages: readonly Passage[]): readonly string[] =>
  passages.flatMap(({ place, text }) =>
    sentencesOf(text)
      .filter((sentence) => RIDDLE.test(sentence))
      .map((sentence) => `${place}: ${sentence.slice(0, 160)}`),
  );

/** Lines of comments that are wider than `WIDTH`. */
const wideLines = (file: string, source: string): readonly string[] =>
  source
    .split('\n')
    .map((text, index) => ({ place: `${file}:${index + 1}`, text }))
    .filter(({ text }) => text.length > WIDTH && /^\s*(\/\/|\/\*|\*(\s|\/|$))/.test(text))
    .map(({ place }) => place);

const longSubjects = (subjects: readonly string[]): readonly string[] =>
  subjects.filter((subject) => subject.length > SUBJECT_CHARACTERS);

describe('the rules find what they forbid', () => {
  const planted = (text: string): readonly Passage[] => [{ place: 'planted.ts:1', text }];

  test.each([
    'Ports of the faces (design section 13).',
    'Heights that stay provable (design 4).',
    'The form is settled in the design, section 3.',
    'A client of gRPC (named by the brief).',
    'The layout of issue 10.',
    'Promises to subscribers (S1-S12).',
    'S7: whole while not ended',
    'A flipped byte loses events (F1).',
  ])('a source that cannot be opened: %s', (text) => {
    expect(found(planted(text), UNAVAILABLE)).toHaveLength(1);
  });

  test.each(['Routes of the node (absent-notes.md 2.7).', 'As measured in absent.md.'])(
    'a document that does not exist: %s',
    (text) => {
      expect(missingDocuments(planted(text))).toHaveLength(1);
    },
  );

  // in a tarball the list of documents is empty
  test
    .skipIf(!isRepository)
    .each([
      'Rules of the engine (docs/decisions/0008-evm-engine.md).',
      'Exit codes are those of OPERATING.md.',
      'LevelDB (`doc/log_format.md` of google/leveldb).',
      'The tokens of `src/core/query/scanner.ts` (CometBFT v0.38 `libs/pubsub/query`).',
      'Intrinsic gas (yellow paper g0 with EIPs 2028, 2930).',
    ])('not a source that can be opened (in a repository): %s', (text) => {
    expect(found(planted(text), UNAVAILABLE)).toEqual([]);
    expect(missingDocuments(planted(text))).toEqual([]);
    expect(missingPaths(planted(text))).toEqual([]);
  });

  test.each(['See `src/node/crypto.ts`.', 'Rules: docs/decisions/0099-nothing.md', '(test/house/absent.test.ts)'])(
    'a path that does not exist: %s',
    (text) => {
      expect(missingPaths(planted(text))).toHaveLength(1);
    },
  );

  test.each([
    'Who signs this pays.',
    'It is kept. Nobody reads it.',
    'None of them is sent.',
    'Order: whoever asks; Whoever pays.',
  ])('a riddle: %s', (text) => {
    expect(riddles(planted(text))).toHaveLength(1);
  });

  test('a wide comment, and no wide code', () => {
    const wide = 'x'.repeat(WIDTH);
    expect(wideLines('planted.ts', `// ${wide}\n * ${wide}\nconst text = '${wide}';`)).toEqual([
      'planted.ts:1',
      'planted.ts:2',
    ]);
  });

  test('comments of every form, with their lines', () => {
    const source = [
      '/** First. */',
      'const one = 1; // trailing',
      '/**',
      ' * Second,',
      ' * of two lines.',
      ' */',
      '  // third,',
      '  // joined',
      "const url = 'http://127.0.0.1';",
    ];
    expect(commentsOf(source.join('\n')).map(({ line, text }) => `${line} ${text}`)).toEqual([
      '1 First.',
      '2 trailing',
      '3 Second, of two lines.',
      '7 third, joined',
    ]);
  });

  test('a long subject of a commit', () => {
    expect(longSubjects([`area: ${'x'.repeat(SUBJECT_CHARACTERS)}`, 'area: short'])).toHaveLength(1);
  });
});

describe.skipIf(!isRepository)('comments and documents (in a repository)', () => {
  test('are read from more than 2,500 sources and 40 Markdown files', () => {
    expect([sources.length > 2_500, documents.length > 40]).toEqual([true, true]);
  });

  test('cite sources that their reader can open', () => {
    expect(found([...comments, ...paragraphs], UNAVAILABLE)).toEqual([]);
    expect(found(titles, UNAVAILABLE)).toEqual([]);
    expect(missingDocuments([...comments, ...paragraphs, ...titles])).toEqual([]);
  });

  test('name paths of the repository that exist', () => {
    expect(missingPaths([...comments, ...paragraphs])).toEqual([]);
  });

  test('do not begin with a riddle', () => {
    expect(riddles([...comments, ...paragraphs])).toEqual([]);
  });

  test(`are at most ${WIDTH} characters wide in sources`, () => {
    expect(wrapped.flatMap((file) => wideLines(file, read(file)))).toEqual([]);
  });

  const hasHistory = git('cat-file', '-t', SUBJECTS_SINCE)?.trim() === 'commit';
  test.skipIf(!hasHistory)(
    `have commits with subjects of at most ${SUBJECT_CHARACTERS} characters (with history)`,
    () => {
      expect(longSubjects((git('log', '--format=%s', `${SUBJECTS_SINCE}..HEAD`) ?? '').split('\n'))).toEqual([]);
    },
  );
});
