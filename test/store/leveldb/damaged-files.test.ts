/**
 * Whole files of a small home are cut, removed, zeroed or damaged in one byte. An open that does not scan tables
 * first (like that of the node) with a read of all rows must report each damage, or lose nothing.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { scanLevelFiles } from '../../../src/store/leveldb/scan-files.js';
import { removeFolder } from '../../support/temporary.js';
import { copyOf, examine, logical, smallHome } from '../small-home.js';

const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  removed: (path) => rmSync(path),
  emptied: (path) => writeFileSync(path, ''),
  'cut by a byte': (path) => writeFileSync(path, readFileSync(path).subarray(0, -1)),
  'cut in half': (path) => writeFileSync(path, readFileSync(path).subarray(0, readFileSync(path).length / 2)),
  'longer by a byte': (path) => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.of(1)])),
  zeroed: (path) => writeFileSync(path, Buffer.alloc(readFileSync(path).length)),
  'zeroed from the middle on': (path) =>
    writeFileSync(path, readFileSync(path).fill(0, Math.floor(readFileSync(path).length / 2))),
  'damaged in its first byte': (path) => writeFileSync(path, flipped(path, 0)),
  'damaged in its last byte': (path) => writeFileSync(path, flipped(path, readFileSync(path).length - 1)),
};

function flipped(path: string, offset: number): Buffer {
  const bytes = readFileSync(path);
  bytes[offset] = (bytes[offset] ?? 0) ^ 0x10;
  return bytes;
}

/** The kinds of files; a home has one of each, but several tables. */
const FILES = { table: /\.ldb$/, 'write-ahead log': /\.log$/, manifest: /^MANIFEST-/, pointer: /^CURRENT$/ } as const;

it('a table that a killed compaction left unfinished is not damage, and is removed', async () => {
  const { home, healthy } = await smallHome();
  const directory = join(home, 'db');
  const [table = ''] = readdirSync(directory).filter((file) => FILES.table.test(file));
  const unfinished = join(directory, '000999.ldb');
  writeFileSync(unfinished, readFileSync(join(directory, table)).subarray(0, -100));
  expect([...scanLevelFiles(directory)]).toEqual([]);
  const found = await examine(home, true, { checkTables: true });
  expect('rows' in found && logical(found.rows)).toBe(healthy);
  expect(existsSync(unfinished)).toBe(false);
});

describe.each(Object.keys(DAMAGES))('%s', (kind) => {
  let home: string;
  let healthy: string;
  beforeAll(async () => {
    ({ home, healthy } = await smallHome());
  });

  it.each(Object.entries(FILES))('a %s file is reported as damage, or nothing is lost', async (name, pattern) => {
    const files = readdirSync(join(home, 'db')).filter((file) => pattern.test(file));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const target = copyOf(home);
      DAMAGES[kind]?.(join(target, 'db', file));
      const found = await examine(target, false);
      removeFolder(target);
      if ('rows' in found) {
        expect(logical(found.rows), `${file} ${kind}`).toBe(healthy);
        continue;
      }
      expect(found, `${file} ${kind}`).toMatchObject({ isDamage: true });
      // The end of the write-ahead log looks like a write that a crash cut short: only the head witness reveals it.
      if (name !== 'write-ahead log') expect(found.problem).toContain(file);
    }
  });
});
