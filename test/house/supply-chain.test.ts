/**
 * The packages that an installation brings: each is pinned by a hash, has an allowed licence and known binaries.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkNative } from '../../src/runtime/host/guard-native.js';
import { NATIVE_HASHES } from '../../src/runtime/host/native-hashes.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
  /** Systems and processors that a package is for; all without them. */
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const { packages }: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
);
const locked = Object.entries(packages).filter(([path]) => path !== '');

/** Licences of code that becomes part of the program. */
const SHIPPED = new Set([
  'MIT',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  '(Apache-2.0 AND BSD-3-Clause)',
]);
/** Licences of crates, which become part of the EVM engine. */
const CRATES = new Set([
  ...SHIPPED,
  'CC0-1.0',
  'Zlib',
  'MIT OR Apache-2.0',
  'Apache-2.0 OR MIT',
  'Unlicense OR MIT',
  'BSD-2-Clause OR Apache-2.0 OR MIT',
  'MIT AND Apache-2.0 WITH LLVM-exception AND (MIT OR Apache-2.0)',
]);
/** Licences of tools, which are not passed on. */
const TOOLS = new Set([...SHIPPED, 'MPL-2.0', 'LGPL-3.0']);

/** The licence that the lockfile names, else the package itself; undefined for one that is not installed here. */
function licenceOf([path, { license }]: readonly [string, Locked]): string | undefined {
  const manifest = join(root, path, 'package.json');
  if (license !== undefined || !existsSync(manifest)) return license;
  const own: { readonly license?: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  return own.license ?? 'none named';
}

describe('packages of the lockfile', () => {
  test('are pinned by version and hash', () => {
    const unpinned = locked.filter(([, { version, integrity }]) => version === undefined || integrity === undefined);
    const isForeignTool = ({ dev, optional, os, cpu }: Locked): boolean =>
      dev === true && optional === true && os !== undefined && cpu !== undefined;
    expect(unpinned.filter(([, entry]) => !isForeignTool(entry)).map(([path]) => path)).toEqual([]);
    // Binaries of four tools for systems that the lockfile was not made on. One more is a package to look at.
    expect(unpinned.length).toBeLessThanOrEqual(43);
    for (const [path] of unpinned) expect(path).toMatch(/^node_modules\/@(bufbuild|oxfmt|oxlint|oxlint-tsgolint)\//);
  });

  test('that are installed here are all pinned', () => {
    const installed = locked.filter(([path]) => existsSync(join(root, path, 'package.json')));
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  });

  test('have allowed licences', () => {
    const others = locked.flatMap((entry) => {
      const [path, { dev, devOptional }] = entry;
      const licence = licenceOf(entry);
      const allowed = dev === true || devOptional === true ? TOOLS : SHIPPED;
      return licence === undefined || allowed.has(licence) ? [] : [`${path}: ${licence}`];
    });
    expect(others).toEqual([]);
  });

  test('in the bundle have licences that allow distribution', () => {
    const named = [
      ...readFileSync(join(root, 'dist', 'LICENSES.txt'), 'utf8').matchAll(/^(\S+) \d+\.\d+\.\d+ \((.*)\)$/gm),
    ].map(([, name = '', licence = '']) => ({ name, licence }));
    expect(named.map(({ name }) => name)).toEqual(expect.arrayContaining(['rxjs', 'xstate', 'uws-pack']));
    expect(named.filter(({ licence }) => !SHIPPED.has(licence))).toEqual([]);
  });

  test('in the EVM engine have licences that allow distribution', () => {
    const crates = [
      ...readFileSync(join(root, 'engine', 'LICENSES.txt'), 'utf8').matchAll(
        /^([\w-]+) (\d+\.\d+\.\d+\S*) \(([A-Z].*)\)$/gm,
      ),
    ].map(([, name = '', version = '', licence = '']) => ({ name, crate: `${name}-${version}`, licence }));
    expect(crates.map(({ name }) => name)).toEqual(expect.arrayContaining(['revm', 'ark-bn254', 'serde_json', 'std']));
    expect(crates.filter(({ licence }) => !CRATES.has(licence))).toEqual([]);
    // The module holds paths of sources where it may panic.
    const module = readFileSync(join(root, 'engine', 'engine.wasm'), 'latin1');
    const found = new Set([...module.matchAll(/\/cargo\/[\w.-]+\/([\w.+-]+)\//g)].map(([, crate = '']) => crate));
    expect(found.size).toBeGreaterThan(20);
    expect([...found].filter((crate) => !crates.some((named) => named.crate === crate))).toEqual([]);
  });

  test('can be installed on the lowest supported Node without a warning', () => {
    const [major, minor] = [20, 19];
    const lowest = (range: string): readonly number[] =>
      (/(\d+)(?:\.(\d+))?/.exec(range)?.slice(1) ?? []).map((part) => Number(part || 0));
    const warned = locked.filter(([, { engines, optional }]) => {
      if (engines?.node === undefined || optional === true) return false;
      return !engines.node.split('||').some((range) => {
        const [wantedMajor = 0, wantedMinor = 0] = lowest(range);
        const above = major === wantedMajor ? minor >= wantedMinor : major > wantedMajor;
        return /[<^~]|^\s*\d/.test(range.trim()) ? major === wantedMajor && above : above;
      });
    });
    // `engines` of uws-pack is left out of the lockfile: docs/decisions/0003-dependencies.md says why.
    expect(warned.map(([path]) => path)).toEqual([]);
  });
});

describe('native binaries', () => {
  test('of the installed packages have the recorded hashes', () => {
    for (const [file, hash] of Object.entries(NATIVE_HASHES)) {
      const bytes = readFileSync(join(root, 'node_modules', file));
      expect(createHash('sha256').update(bytes).digest('hex'), file).toBe(hash);
    }
  });

  test('are those that are recorded, and no others', () => {
    const folders = ['classic-level/prebuilds', 'secp256k1/prebuilds', 'uWebSockets.js/dist/bin'];
    const installed = folders.flatMap((folder) =>
      readdirSync(join(root, 'node_modules', folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.node'))
        .map((name) => `${folder}/${name}`),
    );
    expect(installed.toSorted()).toEqual(Object.keys(NATIVE_HASHES).toSorted());
  });

  test('with other bytes, or without a record, are refused before they are loaded', () => {
    const [file = ''] = Object.keys(NATIVE_HASHES);
    const path = join(root, 'node_modules', file);
    expect(() => checkNative(path)).not.toThrow();
    const other = (): Uint8Array => readFileSync(path).map((byte, offset) => (offset === 100 ? byte ^ 1 : byte));
    expect(() => checkNative(path, other)).toThrow(file);
    expect(() => checkNative(path.replace('classic-level.', 'unknown.'), () => readFileSync(path))).toThrow('unknown');
    // Compiled on this machine: no recorded hash can exist.
    expect(() => checkNative('/x/classic-level/build/Release/classic_level.node')).not.toThrow();
  });
});
