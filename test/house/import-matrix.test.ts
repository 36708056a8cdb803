import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const sandbox = temporaryFolder();

const layers = ['core', 'store', 'streams', 'actors', 'adapters', 'node'] as const;
type Layer = (typeof layers)[number];

/** The rule: everything may import core; actors may use streams; only node imports everything; nobody imports node. */
function allowed(from: Layer, to: Layer): boolean {
  return from === to || to === 'core' || from === 'node' || (from === 'actors' && to === 'streams');
}

/** Library that each layer is the home of, and that core must never see. */
const libraryOf: Partial<Record<Layer, string>> = { store: 'level', streams: 'rxjs', actors: 'xstate', adapters: 'ws' };

function lint(file: string, source: string): { readonly ok: boolean; readonly output: string } {
  const path = join(sandbox, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, source);
  const run = spawnSync(join(root, 'node_modules', '.bin', 'oxlint'), ['-c', join(sandbox, '.oxlintrc.json'), file], {
    cwd: sandbox,
    encoding: 'utf8',
  });
  rmSync(path);
  return { ok: run.status === 0, output: run.stdout + run.stderr };
}

cpSync(join(root, '.oxlintrc.json'), join(sandbox, '.oxlintrc.json'));
symlinkSync(join(root, 'node_modules'), join(sandbox, 'node_modules'));

describe('the import matrix that lint enforces', () => {
  for (const from of layers) {
    for (const to of layers) {
      if (from === to) continue;
      test(`${from} ${allowed(from, to) ? 'may' : 'may not'} import ${to}`, () => {
        const { ok, output } = lint(`src/${from}/planted.ts`, `import { thing } from '../${to}/thing.js';\nexport const copy = thing;\n`);
        expect(ok, output).toBe(allowed(from, to));
      });
    }
  }
  for (const [home, library] of Object.entries(libraryOf)) {
    test(`core may not use ${library}, ${home} may`, () => {
      const source = `import * as library from '${library}';\nexport const copy = library;\n`;
      expect(lint('src/core/planted.ts', source).ok).toBe(false);
      expect(lint(`src/${home}/planted.ts`, source)).toMatchObject({ ok: true });
    });
  }
  test('core may not read the clock, randomness or the process', () => {
    for (const planted of ['Date.now()', 'Math.random()', 'process.pid', 'setTimeout(() => undefined, 1)']) {
      expect(lint('src/core/planted.ts', `export const value = ${planted};\n`).ok, planted).toBe(false);
    }
  });
});
