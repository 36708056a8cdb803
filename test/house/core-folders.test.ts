import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const core = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'src', 'core');

/** Sources by path below `src/core`. */
type Sources = ReadonlyMap<string, string>;

const sources: Sources = new Map(
  readdirSync(core, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file, readFileSync(join(core, file), 'utf8')]),
);

/** Each module of the application is a folder of its own; a file of `src/core` itself stands for itself. */
function folderOf(file: string): string {
  return /^modules\/[^/]+|^[^/]+/.exec(file)?.[0] ?? file;
}

/** Files that a file imports, also for their types alone. */
function importsOf(file: string, source: string): readonly string[] {
  return Array.from(source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g), ([, path]) =>
    join(dirname(file), `${path}.ts`),
  );
}

/** Folders by the folders that they import, with a file that does. */
function folderGraph(files: Sources): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const graph = new Map<string, Map<string, string>>();
  for (const [file, source] of files) {
    const folder = folderOf(file);
    const imported = graph.get(folder) ?? new Map<string, string>();
    graph.set(folder, imported);
    for (const target of importsOf(file, source)) if (folderOf(target) !== folder) imported.set(folderOf(target), file);
  }
  return graph;
}

/** Folders that import each other in a circle, with the importing files; undefined when there is none. */
function findCircle(files: Sources): readonly string[] | undefined {
  const graph = folderGraph(files);
  const done = new Set<string>();
  const visit = (folder: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(folder)) {
      const circle = [...path.slice(path.indexOf(folder)), folder];
      return circle.slice(1).map((to, at) => `${graph.get(circle[at] ?? '')?.get(to)} -> ${to}`);
    }
    if (done.has(folder)) return undefined;
    for (const next of graph.get(folder)?.keys() ?? []) {
      const circle = visit(next, [...path, folder]);
      if (circle !== undefined) return circle;
    }
    done.add(folder);
    return undefined;
  };
  for (const folder of graph.keys()) {
    const circle = visit(folder, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** Files of `core/app` that import a module, except those that compose modules. */
function appOnModules(files: Sources): readonly string[] {
  const composing = ['app/presets/shared.ts', 'app/presets/chronicle.ts', 'app/presets/chronicle-v3.ts'];
  return [...files.entries()]
    .filter(([file]) => folderOf(file) === 'app' && !composing.includes(file))
    .filter(([file, source]) => importsOf(file, source).some((target) => target.startsWith('modules/')))
    .map(([file]) => file);
}

const planted = (file: string, target: string): Sources =>
  new Map([...sources, [file, `import { thing } from '${target}';\nexport const copy = thing;\n`]]);

describe('the folders of src/core', () => {
  test('are more than 20', () => expect(folderGraph(sources).size).toBeGreaterThan(20));

  test('import each other in one direction only', () => expect(findCircle(sources)).toBeUndefined());

  test.each([
    ['modules/bank/planted.ts', '../../app/run-tx.js'],
    ['modules/auth/planted.ts', '../bank/transfer.js'],
    ['modules/bank/planted.ts', '../../peers/evmd/coins.js'],
    ['bytes/planted.ts', '../sdk/module/gas.js'],
    ['errors.ts', './node-api.js'],
  ])('that import in a circle are found: %s imports %s', (file, target) => {
    expect(findCircle(planted(file, target))?.join(' ')).toContain(file);
  });
});

describe('src/core/app', () => {
  test('imports single modules only where presets are composed', () => expect(appOnModules(sources)).toEqual([]));

  test('is reported when another file imports a module', () =>
    expect(appOnModules(planted('app/planted.ts', '../modules/evm/store.js'))).toEqual(['app/planted.ts']));
});

test('core contains no error codes of JSON-RPC', () => {
  expect([...sources].filter(([, source]) => /-32\d{3}\b/.test(source)).map(([file]) => file)).toEqual([]);
});
