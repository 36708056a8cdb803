import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRepository, ROOT, TRACKED } from '../support/tracked-files.js';

interface Line {
  readonly place: string;
  readonly text: string;
}

const GENERATED = /^src\/core\/proto\//;
const BINARY = /\.(wasm|png|gz|bin|pb)$/;
/** This file must contain the texts that it forbids. */
const SELF = 'test/house/tidy.test.ts';

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function exists(file: string): boolean {
  try {
    read(file);
    return true;
  } catch {
    return false;
  }
}

const texts = TRACKED.filter((file) => !BINARY.test(file) && file !== SELF && exists(file));
const sources = texts.filter((file) => /^(src|test|bench)\/.*\.tsx?$/.test(file) && !GENERATED.test(file));
const product = sources.filter((file) => file.startsWith('src/'));

/** Places in `files` whose line matches, as `file:line: text`. */
function find(files: readonly string[], pattern: RegExp): readonly string[] {
  return linesOf(files)
    .filter(({ text }) => pattern.test(text))
    .map(({ place, text }) => `${place}: ${text.trim().slice(0, 120)}`);
}

function linesOf(files: readonly string[]): readonly Line[] {
  return files.flatMap((file) =>
    read(file)
      .split('\n')
      .map((text, index) => ({ place: `${file}:${index + 1}`, text })),
  );
}

/** The part of a line that a compiler reads, without strings in single quotes and comments. */
function codeOf(line: string): string {
  return line
    .replace(/'(?:[^'\\]|\\.)*'/g, "''")
    .replace(/\/\/.*$/, '')
    .replace(/^\s*\/?\*.*$/, '');
}

const MARKER = /\b(TODO|FIXME|XXX|HACK|WIP)\b/;
const FOCUSED = /\b(test|it|describe)(\.[a-zA-Z]+)*\.only\b/;
/** An unconditional skip must say why in its title or in a comment; `skipIf` carries its condition. */
const SKIPPED = /\b(test|it|describe)\.(skip|todo)\b/;
const REASON = /absent|because|has no |\(.{3,}\)['"`]|\/\/ .{10,}/;
const ANY = /(:\s*any\b|<any\b|\bas any\b|\bany\[\]|,\s*any>)(?!\s*[}\w.])/;
const SUPPRESSED = /@ts-(ignore|nocheck|expect-error)|\b(eslint|oxlint)-disable\b/;
/** `/home/someone` is the made-up user of tests. */
const MACHINE_PATH = /(^|[\s'"`(=:])\/(work|root|home\/(?!someone\/)[a-z]+)\//;
const REGISTRY = /registry\.npmjs|npmmirror|registry\.yarnpkg|artifactory|verdaccio|codeload\.github/i;
/** Variables of this program have the prefix `CHRONICLED_`. */
const OTHER_PREFIX = /\benv\W{1,3}CHRONICLE_|^\s*CHRONICLE_\w+=/;
/** A list as the arguments of a call exceeds the stack at some 120,000 items, and many come from clients. */
const SPREAD = /(?<!function )\b(concat|push|Uint8Array\.of)\((?:[^(){}[\]]|\([^()]*\))*\.\.\./;
const TEMPORARY = /\bmkdtemp(Sync)?\b/;
/** A bare suppression hides any rule; one rule with its reason beside it is a decision. */
const SUPPRESSION_ALLOWED = /eslint-disable-next-line [a-z-]+(\/[a-z-]+)?$/;

describe('the rules find what they forbid', () => {
  test.each([
    [MARKER, '// TODO later'],
    [FOCUSED, "test.only('x', run)"],
    [FOCUSED, "describe.concurrent.only('x', run)"],
    [SKIPPED, "it.skip('x', run)"],
    [ANY, 'const value: any = 1;'],
    [ANY, 'const list = [] as any[];'],
    [SUPPRESSED, '// @ts-ignore'],
    [MACHINE_PATH, "readFileSync('/work/shared/x')"],
    [TEMPORARY, 'const folder = await mkdtemp(prefix);'],
    [SPREAD, 'return type === 0 ? body : Uint8Array.of(type, ...body);'],
    [SPREAD, 'rows.push(...more);'],
    [OTHER_PREFIX, "const seed = process.env['CHRONICLE_SEED'];"],
    [REGISTRY, '"resolved": "https://registry.npmjs.org/x"'],
  ])('%s matches %s', (pattern, text) => expect(text).toMatch(pattern));
});

describe.skipIf(!isRepository)('tracked files (in a repository)', () => {
  test('hold no leftover markers', () => expect(find(sources, MARKER)).toEqual([]));

  test('hold no focused test', () => expect(find(sources, FOCUSED)).toEqual([]));

  test('skip no test without a reason on the same line', () => {
    expect(find(sources, SKIPPED).filter((place) => !REASON.test(place))).toEqual([]);
  });

  test('of tests make temporary folders only through the helper that removes them', () => {
    const places = ['test/support/temporary.ts', 'test/support/run-folder.ts'];
    const made = find(
      sources.filter((file) => file.startsWith('test/') && !places.includes(file)),
      TEMPORARY,
    );
    expect(made).toEqual([]);
    expect(find(places, TEMPORARY)).not.toEqual([]);
  });

  test('of nodes pass no list as the arguments of a call that joins or collects', () => {
    const others = /^src\/(cli|testing|adapters\/pages\/browser)\//;
    expect(
      find(
        product.filter((file) => !others.test(file)),
        SPREAD,
      ),
    ).toEqual([]);
  });

  test('name no path of a machine', () => {
    // A planted secret of a negative control is the one exception: the product must not show it.
    const planted = /secret \/root\/key/;
    expect(find(texts, MACHINE_PATH).filter((place) => !planted.test(place))).toEqual([]);
  });

  test('read no environment variables with the prefix CHRONICLE_', () => expect(find(texts, OTHER_PREFIX)).toEqual([]));

  test('name no package registry', () =>
    expect(
      find(
        texts.filter((file) => file !== '.npmrc'),
        REGISTRY,
      ),
    ).toEqual([]));

  test('hold no built or installed file', () => {
    expect(
      TRACKED.filter((file) => /^(dist|node_modules|coverage)\//.test(file) || /\.(tgz|tsbuildinfo)$/.test(file)),
    ).toEqual([]);
  });
});

describe.skipIf(!isRepository)('src (in a repository)', () => {
  test('uses no `any` and silences no checker', () => {
    const code = linesOf(product)
      .filter(({ text }) => ANY.test(codeOf(text)))
      .map(({ place, text }) => `${place}: ${text.trim()}`);
    expect(code).toEqual([]);
    const silenced = find(product, SUPPRESSED).filter((place) => !SUPPRESSION_ALLOWED.test(place));
    expect(silenced).toEqual([]);
  });

  test('has no file of more than 300 lines', () => {
    expect(
      product
        .map((file) => [file, read(file).trimEnd().split('\n').length] as const)
        .filter(([, lines]) => lines > 300),
    ).toEqual([]);
  });

  test('is described in docs/ARCHITECTURE.md, folder by folder', () => {
    const architecture = read('docs/ARCHITECTURE.md');
    const folders = (parent: string): readonly string[] =>
      readdirSync(join(ROOT, parent), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && product.some((file) => file.startsWith(`${parent}/${entry.name}/`)))
        .map((entry) => `${parent}/${entry.name}`);
    const layers = folders('src');
    const all = [...layers, ...layers.flatMap(folders)];
    expect(all.filter((folder) => !architecture.includes(`\`${folder}\``))).toEqual([]);
  });

  test('is mirrored by test, except for folders with a row in docs/TESTING.md', () => {
    const testing = read('docs/TESTING.md');
    const folders = new Set(
      TRACKED.flatMap((file) => /^test\/((?:(?:core|actors|adapters)\/)?[\w-]+)\//.exec(file)?.[1] ?? []),
    );
    const own = [...folders].filter((folder) => !TRACKED.some((file) => file.startsWith(`src/${folder}/`)));
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter((folder) => !testing.includes(`\`test/${folder}\``))).toEqual([]);
  });

  test('has every file that docs/ARCHITECTURE.md names', () => {
    const named = [...read('docs/ARCHITECTURE.md').matchAll(/`((?:src|test|docs)\/[\w./-]+\.(?:ts|md))`/g)].map(
      ([, file]) => file ?? '',
    );
    expect(named.filter((file) => !exists(file))).toEqual([]);
  });
});

describe.skipIf(!isRepository)('src/core/limits (in a repository)', () => {
  test('describes every limit in a comment', () => {
    const files = TRACKED.filter((file) => file.startsWith('src/core/limits/'));
    const limits = files.flatMap((file) => {
      const lines = read(file).split('\n');
      return lines.flatMap((text, index) => (/^  \w+:/.test(text) ? [{ text, before: lines[index - 1] ?? '' }] : []));
    });
    expect(limits.length).toBeGreaterThan(400);
    expect(
      limits
        .filter(({ text, before }) => !before.trim().endsWith('*/') && !text.includes('//'))
        .map(({ text }) => text.trim()),
    ).toEqual([]);
  });
});

describe.each(['package-lock.json', 'bench/package-lock.json'])('%s', (file) => {
  interface Locked {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  }
  const { packages }: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(read(file));

  /** The folders in which Node.js looks for the packages of the one at a path: its own, and those above it. */
  const foldersFrom = (path: string): readonly string[] => {
    const inner = path.lastIndexOf('/node_modules/');
    if (path === '') return ['node_modules'];
    return [`${path}/node_modules`, ...foldersFrom(inner < 0 ? '' : path.slice(0, inner))];
  };

  test('lists the dependencies of every package, also for other systems, so that npm ci succeeds', () => {
    const missing = Object.entries(packages).flatMap(
      ([path, { dependencies, devDependencies, optionalDependencies }]) =>
        Object.keys({ ...dependencies, ...(path === '' ? devDependencies : {}), ...optionalDependencies }).filter(
          (name) => foldersFrom(path).every((folder) => packages[`${folder}/${name}`] === undefined),
        ),
    );
    expect(missing).toEqual([]);
  });

  test('names no registry host', () => {
    expect(find([file], /"resolved"/)).toEqual([]);
  });
});

describe('package-lock.json', () => {
  test('agrees with package.json on the version', () => {
    const version = /"version": "([^"]+)"/;
    expect(version.exec(read('package-lock.json'))?.[1]).toBe(version.exec(read('package.json'))?.[1]);
  });
});
