import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLevelStore } from '../../../src/store/leveldb/level-store.js';
import { removeDatabase } from '../../../src/store/files/replacement.js';
import { temporaryFolder } from '../../support/temporary.js';

async function database(): Promise<string> {
  const directory = join(temporaryFolder(), 'db');
  const store = await openLevelStore(directory, { create: true });
  await store.close();
  return directory;
}

describe('removal of a database', () => {
  it('deletes every file', async () => {
    const directory = await database();
    removeDatabase(directory);
    expect(readdirSync(join(directory, '..'))).toEqual([]);
  });

  it('is finished by the next open when a power cut interrupted it', async () => {
    const directory = await database();
    renameSync(directory, `${directory}.removed`);
    const store = await openLevelStore(directory, { create: true });
    await store.close();
    expect(readdirSync(join(directory, '..'))).toEqual(['db']);
  });

  it('also deletes the files of an unfinished replacement, so that they do not come back', async () => {
    const directory = await database();
    renameSync(directory, `${directory}.replaced`);
    mkdirSync(`${directory}.rebuilt.tmp`);
    writeFileSync(join(`${directory}.rebuilt.tmp`, 'CURRENT'), '');
    removeDatabase(directory);
    expect(existsSync(directory)).toBe(false);
    expect(readdirSync(join(directory, '..'))).toEqual([]);
  });
});
