/** The project `unit`: its tests start no process, thread or server, and open no connection. */
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { FILES, LONG_FILES, LONGEST_FILES } from '../projects.js';
import { loadUws } from '../../src/adapters/transport/uws-library.js';

const root = join(import.meta.dirname, '..', '..');

describe('a test of the project unit', () => {
  test.each<[string, () => unknown]>([
    ['a process', () => spawn(process.execPath, ['--version'])],
    ['a process that it waits for', () => execFileSync(process.execPath, ['--version'])],
    ['a thread', () => new Worker('', { eval: true })],
    ['a server', () => createServer().listen(0, '127.0.0.1')],
    ['a connection', () => connect(1, '127.0.0.1')],
  ])('that starts %s fails with an error that names test/projects.ts', (_, start) => {
    expect(start).toThrow('test/projects.ts');
  });

  test('cannot load uWebSockets.js', async () => {
    expect(await loadUws()).toBeUndefined();
  });
});

test('each path ending in test/projects.ts matches exactly one file', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const found = [...FILES, ...LONG_FILES, ...LONGEST_FILES].map((end) => [
    end,
    files.filter((file) => `/${file}`.endsWith(`/${end}`)).length,
  ]);
  expect(found.filter(([, count]) => count !== 1)).toEqual([]);
});
