import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const sandbox = temporaryFolder();

const layers = [
  'core',
  'store',
  'streams',
  'adapters',
  'config',
  'actors',
  'runtime',
  'node',
  'library',
  'cli',
  'testing',
] as const;
type Layer = (typeof layers)[number];

/** An import goes down, never up, and never to another layer of its own floor. */
const FLOORS: readonly (readonly Layer[])[] = [
  ['core'],
  ['store', 'streams', 'adapters', 'config'],
  ['actors', 'runtime'],
  ['node'],
  ['library', 'cli', 'testing'],
];

/** Layers that may import less than all floors below them. */
const ONLY: Partial<Record<Layer, readonly Layer[]>> = {
  actors: ['core', 'streams'],
  runtime: ['core', 'store', 'streams', 'adapters'],
  testing: ['core'],
};

const floorOf = (layer: Layer): number => FLOORS.findIndex((floor) => floor.includes(layer));

function allowed(from: Layer, to: Layer): boolean {
  return from === to || (ONLY[from]?.includes(to) ?? floorOf(to) < floorOf(from));
}

/** A library that belongs to each layer, and that core must never import. */
const libraryOf: Partial<Record<Layer, string>> = { store: 'level', streams: 'rxjs', actors: 'xstate', adapters: 'ws' };

/** Files to be linted, by path; one run of the linter takes all of them. */
const planted = new Map<string, string>();
let complaints: ReadonlyMap<string, string>;

/** Plants a file in a layer; answers what lint says of it, undefined for nothing, once it ran. */
function plant(layer: Layer | `actors/${string}`, source: string): () => string | undefined {
  const file = `src/${layer}/planted-${planted.size}.ts`;
  planted.set(file, source);
  return () => complaints.get(file);
}

function lintAll(): ReadonlyMap<string, string> {
  for (const [file, source] of planted) {
    mkdirSync(dirname(join(sandbox, file)), { recursive: true });
    writeFileSync(join(sandbox, file), source);
  }
  const run = spawnSync(
    join(root, 'node_modules', '.bin', 'oxlint'),
    ['-c', join(sandbox, '.oxlintrc.json'), '--format', 'json', 'src'],
    { cwd: sandbox, encoding: 'utf8' },
  );
  const {
    diagnostics,
    number_of_files: linted,
  }: {
    readonly diagnostics: readonly { readonly filename: string; readonly message: string; readonly help?: string }[];
    readonly number_of_files: number;
  } = JSON.parse(run.stdout);
  expect(linted).toBe(planted.size);
  return new Map(diagnostics.map(({ filename, message, help = '' }) => [filename, `${message} ${help}`]));
}

beforeAll(() => {
  complaints = lintAll();
});

cpSync(join(root, '.oxlintrc.json'), join(sandbox, '.oxlintrc.json'));
symlinkSync(join(root, 'node_modules'), join(sandbox, 'node_modules'));

describe('the import matrix that lint enforces', () => {
  for (const from of layers) {
    for (const to of layers) {
      if (from === to) continue;
      const complaint = plant(from, `import { thing } from '../${to}/thing.js';\nexport const copy = thing;\n`);
      test(`${from} ${allowed(from, to) ? 'may' : 'may not'} import ${to}`, () => {
        if (allowed(from, to)) expect(complaint()).toBeUndefined();
        else expect(complaint()).toContain(`${from} may not import that layer`);
      });
    }
  }
  const actors = readdirSync(join(root, 'src', 'actors')).filter((name) => name !== 'shell');
  for (const from of actors) {
    for (const to of [...actors, 'shell']) {
      if (from === to) continue;
      const complaint = plant(
        `actors/${from}`,
        `import { thing } from '../${to}/thing.js';\nexport const copy = thing;\n`,
      );
      test(`the actor ${from} ${to === 'shell' ? 'may' : 'may not'} import ${to}`, () => {
        if (to === 'shell') expect(complaint()).toBeUndefined();
        else expect(complaint()).toContain('an actor does not know another one');
      });
    }
  }
  for (const home of layers) {
    const library = libraryOf[home];
    if (library === undefined) continue;
    const source = `import * as library from '${library}';\nexport const copy = library;\n`;
    const [inCore, inHome] = [plant('core', source), plant(home, source)];
    test(`core may not use ${library}, ${home} may`, () => {
      expect(inCore()).toContain('core may not use that library');
      expect(inHome()).toBeUndefined();
    });
  }
  const errors = "import { rpcErrorOf } from '../adapters/eth-rpc/errors.js';\nexport const copy = rpcErrorOf;\n";
  const inNode = plant('node', errors);
  test("node may not import an adapter's errors", () =>
    expect(inNode()).toContain('node speaks in errors of the domain'));
  test.each(
    ['Date.now()', 'Math.random()', 'process.pid', 'setTimeout(() => undefined, 1)'].map(
      (text) => [text, plant('core', `export const value = ${text};\n`)] as const,
    ),
  )('core may not read %s', (_, complaint) => expect(complaint()).toMatch(/restricted (?:from being used|global)/));
});
