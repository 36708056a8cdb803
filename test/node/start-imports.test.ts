import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const STATIC_IMPORT = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

/** All modules that are loaded before the entries run, through any number of files, without dynamic imports. */
function loadedBy(...entries: readonly string[]): {
  readonly files: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
} {
  const files = new Set(entries.map((entry) => join(SRC, entry)));
  const packages = new Set<string>();
  for (const file of files) {
    expect(existsSync(file), file).toBe(true);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
      if (name.startsWith('.')) files.add(join(dirname(file), name.replace(/\.js$/, '.ts')));
      else if (!name.startsWith('node:')) packages.add(name);
    }
  }
  return { files, packages };
}

const named = (packages: ReadonlySet<string>, forbidden: RegExp): readonly string[] =>
  [...packages].filter((name) => forbidden.test(name));

test('loadedBy finds a package imported through several files', () => {
  expect([...loadedBy('core/keys/tx-signing.ts', 'core/keys/mnemonic.ts').packages]).toEqual(
    expect.arrayContaining(['@noble/curves/secp256k1.js', '@scure/bip39', '@bufbuild/protobuf']),
  );
});

test('the command line loads neither codecs nor curves nor the node before it knows the command', () => {
  const { files, packages } = loadedBy('cli/main.ts');
  expect(
    named(
      packages,
      /^(@bufbuild|@noble\/curves|@scure\/bip|xstate|rxjs|level|pino|prom-client|ws$|uWebSockets|secp256k1|hash-wasm)/,
    ),
  ).toEqual([]);
  // The text of an upgrade's halt, which the exit code of the daemon comes with, and folders for files of commands,
  // which are synced: one function each, and no imports but each other.
  const light = ['core/modules/upgrade/plan.ts', 'store/files/make-folder.ts', 'store/files/sync-path.ts'];
  const lightFiles = new Set(light.map((file) => join(SRC, file)));
  expect(loadedBy(...light).files).toEqual(lightFiles);
  const others = [...files].filter((file) => !lightFiles.has(file));
  expect(others.filter((file) => /\/(proto|store|actors|modules)\//.test(file.slice(SRC.length - 1)))).toEqual([]);
});

test('a daemon starts its executor thread before it loads the node', () => {
  const { files, packages } = loadedBy('cli/daemon/run.ts');
  expect([...files].map((file) => file.slice(SRC.length))).not.toContain('node/daemon.ts');
  expect(named(packages, /^(@bufbuild|@noble\/curves|xstate|level)/)).toEqual([]);
});

test('a node starts without the libraries for metrics, JSON logs, gRPC, REST and the unused transport', () => {
  const { packages, files } = loadedBy('cli/main.ts', 'cli/daemon/run.ts', 'node/daemon.ts');
  expect(named(packages, /^(prom-client|pino|ws$|@noble\/curves|@scure\/bip|@grpc)/)).toEqual([]);
  expect(packages).toContain('rxjs');
  expect(packages).toContain('xstate');
  expect(
    [...files]
      .map((file) => file.slice(SRC.length))
      .filter((file) =>
        /^adapters\/(services\/(index|table)|rest\/(index|gateway)|grpc\/calls|transport\/node-http)\.ts$/.test(file),
      ),
  ).toEqual([]);
});

describe('modules that only one preset has', () => {
  const SHARED = 'core/app/presets/shared.ts';
  const modulesOf = (...entries: readonly string[]): ReadonlySet<string> =>
    new Set([...loadedBy(...entries).files].map((file) => file.slice(SRC.length)).filter((file) => MODULE.test(file)));
  const MODULE = /^core\/(modules|peers\/evmd)\/[^/]+\/(module|v2)\.ts$/;
  const own = (preset: string): readonly string[] => {
    const shared = modulesOf(SHARED);
    return [...modulesOf(preset)].filter((file) => !shared.has(file)).toSorted();
  };
  const namesIn = (files: readonly string[]): readonly string[] =>
    files.map((file) => file.replace(/^core\/(modules|peers\/evmd)\//, '').replace('.ts', ''));

  test('are imported only by that preset', () => {
    expect(namesIn(own('core/app/presets/chronicle.ts'))).toEqual([
      'claims/module',
      'crisis/module',
      'dev/module',
      'dev/v2',
      'epochs/module',
      'ibc/module',
      'incentives/module',
      'inflation/module',
      'params/module',
      'recovery/module',
      'sample/module',
      'transfer/module',
    ]);
    expect(namesIn(own('core/peers/evmd/preset.ts'))).toEqual(['ibc/module', 'transfer/module', 'precisebank/module']);
  });

  test.each([
    ['the node', ['cli/main.ts', 'cli/daemon/run.ts', 'node/daemon.ts']],
    ['the executor thread', ['runtime/workers/executor.ts']],
    ['a thread of the pool', ['runtime/workers/pool.ts']],
  ])('are not loaded at the start of %s, which loads the shared ones', (_, entries) => {
    const { files } = loadedBy(...entries);
    expect(files).toContain(join(SRC, SHARED));
    for (const file of [...own('core/app/presets/chronicle.ts'), ...own('core/peers/evmd/preset.ts')])
      expect(files).not.toContain(join(SRC, file));
  });
});

test('the executor thread loads no adapter, actor, stream or logger', () => {
  const { files, packages } = loadedBy('runtime/workers/executor.ts');
  expect(
    named(packages, /^(xstate|rxjs|prom-client|pino|ws$|uWebSockets|json-rpc|commander|@noble\/curves|@scure\/bip)/),
  ).toEqual([]);
  expect(
    [...files].map((file) => file.slice(SRC.length)).filter((file) => /^(adapters|actors|streams)\//.test(file)),
  ).toEqual([]);
});
