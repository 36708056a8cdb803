import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { Bundle } from '../../src/node/launch/bundle.js';
import { readKeptCode, writeKeptCode } from '../../src/node/launch/kept-code.js';
import { temporaryFolder } from '../support/temporary.js';

const SCRIPTS = {
  'entry.cjs':
    "const { twice } = require('./part/twice.cjs'); exports.answer = () => twice(21); exports.path = require('node:path').sep; exports.name = __filename;",
  'part/twice.cjs': "exports.twice = (n) => n * 2; exports.again = require('../entry.cjs');",
  'later.cjs': 'exports.late = true;',
} as const;

function written(): { readonly folder: string; readonly cache: string } {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'part'));
  for (const [name, text] of Object.entries(SCRIPTS)) writeFileSync(join(folder, name), text);
  return { folder, cache: join(folder, 'cache') };
}

function keepAll(bundle: Bundle): void {
  while (bundle.keepOne());
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

interface Entry {
  answer(): number;
  readonly path: string;
  readonly name: string;
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'answer' in value && 'path' in value;
}

function entryOf(bundle: Bundle, folder: string): Entry {
  const entry = bundle.load(join(folder, 'entry.cjs'));
  if (!isEntry(entry)) throw new Error('the entry exports its functions');
  return entry;
}

test('a bundle runs scripts that require each other, also in circles, and built-in modules', () => {
  const { folder, cache } = written();
  const bundle = new Bundle(folder, cache);
  const entry = entryOf(bundle, folder);
  expect(entry.answer()).toBe(42);
  expect(entry.path).toMatch(/[/\\]/);
  expect(entry.name).toBe(join(folder, 'entry.cjs'));
  expect(bundle.load(join(folder, 'entry.cjs'))).toBe(entry);
  expect(bundle.load(join(folder, 'part/twice.cjs'))).toMatchObject({ again: entry });
});

test('a bundle reuses cached code of an earlier run, and compiles only scripts without it', () => {
  const { folder, cache } = written();
  const first = new Bundle(folder, cache);
  entryOf(first, folder).answer();
  expect(first.compiled).toBe(2);
  keepAll(first);
  expect(first.compiled).toBe(0);

  const second = new Bundle(folder, cache);
  expect(entryOf(second, folder).answer()).toBe(42);
  expect(second.compiled).toBe(0);
  second.load(join(folder, 'later.cjs'));
  expect(second.compiled).toBe(1);

  const other = new Bundle(folder, join(folder, 'other'));
  expect(entryOf(other, folder).answer()).toBe(42);
  expect(other.compiled).toBe(2);
});

test.each([
  ['a changed byte', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])])],
  ['a truncated end', (bytes: Buffer) => bytes.subarray(0, bytes.length - 10)],
  ['no content', () => Buffer.alloc(0)],
])('cached code with %s is compiled and cached again', (_, damage) => {
  const { folder, cache } = written();
  const first = new Bundle(folder, cache);
  entryOf(first, folder);
  keepAll(first);
  for (const file of filesBelow(cache)) writeFileSync(file, damage(readFileSync(file)));

  const second = new Bundle(folder, cache);
  expect(entryOf(second, folder).answer()).toBe(42);
  expect(second.compiled).toBe(2);
  keepAll(second);
  const third = new Bundle(folder, cache);
  entryOf(third, folder);
  expect(third.compiled).toBe(0);
});

test('intact cached code that V8 rejects is compiled and cached again', () => {
  const { folder, cache } = written();
  const first = new Bundle(folder, cache);
  entryOf(first, folder);
  keepAll(first);
  for (const file of filesBelow(cache)) expect(writeKeptCode(file, Buffer.from('code of another engine'))).toBe(true);
  // The file would not be read for a text that this process has compiled before.
  for (const [name, text] of Object.entries(SCRIPTS)) writeFileSync(join(folder, name), `/* ${folder} */ ${text}`);
  const second = new Bundle(folder, cache);
  expect(entryOf(second, folder).answer()).toBe(42);
  expect(second.compiled).toBe(2);
  keepAll(second);
  const third = new Bundle(folder, cache);
  entryOf(third, folder);
  expect(third.compiled).toBe(0);
});

test('a package in a read-only folder runs, and caching is tried once', () => {
  const { folder, cache } = written();
  // The superuser may write everywhere, but not into a folder that is a file.
  writeFileSync(cache, '');
  chmodSync(folder, 0o500);
  const bundle = new Bundle(folder, cache);
  expect(entryOf(bundle, folder).answer()).toBe(42);
  expect(bundle.keepOne()).toBe(false);
  chmodSync(folder, 0o700);
  expect(readFileSync(cache, 'utf8')).toBe('');
});

test('an idle thread caches all scripts that it loaded', async () => {
  const { folder } = written();
  mkdirSync(join(folder, 'code', 'part'), { recursive: true });
  for (const [name, text] of Object.entries(SCRIPTS)) writeFileSync(join(folder, 'code', name), text);
  const launcher = JSON.stringify(join(import.meta.dirname, '../../dist/launch.cjs'));
  const worker = new Worker(
    `require('node:worker_threads').parentPort.on('message', () => undefined);
     require(${launcher}).launch(${JSON.stringify(folder)}, 'main', 'entry.cjs', 1);`,
    { eval: true },
  );
  await vi.waitFor(() => expect(filesBelow(join(folder, 'cache'))).toHaveLength(2), { timeout: 10_000 });
  await worker.terminate();
});

test('a file of cached code holds its digest and its bytes', () => {
  const file = join(temporaryFolder(), 'new', 'code');
  expect(readKeptCode(file)).toBeUndefined();
  expect(writeKeptCode(file, Buffer.from('bytes'))).toBe(true);
  expect(readKeptCode(file)?.toString()).toBe('bytes');
  expect(readFileSync(file)).toHaveLength(32 + 5);
});
