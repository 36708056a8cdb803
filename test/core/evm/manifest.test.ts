import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const file = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const script = file('scripts/build-engine.js');
const manifest: {
  readonly wasm: { readonly sha256: string; readonly bytes: number };
  readonly sources: { readonly sha256: string };
  readonly licences: { readonly sha256: string };
} = JSON.parse(readFileSync(file('engine/engine.json'), 'utf8'));

test('engine.wasm, its sources and its licences have the hashes of engine.json', () => {
  const hashes: unknown = JSON.parse(execFileSync(process.execPath, [script, '--hashes'], { encoding: 'utf8' }));
  expect(hashes).toEqual({
    wasm: manifest.wasm.sha256,
    sources: manifest.sources.sha256,
    licences: manifest.licences.sha256,
  });
});

test('engine.wasm contains no path of the machine that built it', () => {
  const text = readFileSync(file('engine/engine.wasm'), 'latin1');
  expect(text).toHaveLength(manifest.wasm.bytes);
  expect(text.match(/\/(?:root|home|Users|tmp|work|usr|builds?)\/[\w./-]*/g)).toBeNull();
  // Replaced paths occur, so the search above examines the right bytes.
  expect(text).toContain('/cargo/');
});

const asked = process.env['CHRONICLED_REBUILD_ENGINE'] !== undefined;
if (!asked) console.log('rebuild of the engine skipped: it takes minutes; set CHRONICLED_REBUILD_ENGINE=1 to run it');

test.skipIf(!asked)(
  'the recorded toolchain builds the same engine.wasm',
  () => {
    const { status, stdout } = spawnSync(process.execPath, [script, '--compare'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    console.log(stdout.trim());
    expect([0, 3]).toContain(status);
  },
  3_600_000,
);
