import type { LogSync } from '../../../src/core/ports/log-sync.js';
import { fileProblems } from '../../../src/store/leveldb/scan-files.js';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { withPoisonRule, withRowChecksums } from '../../../src/store/leveldb/checked-store.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { CorruptionError, HomeLockedError, PoisonedError } from '../../../src/store/errors.js';
import { openEventLog } from '../../../src/store/log/event-log.js';
import { openLevelReader, openLevelStore } from '../../../src/store/leveldb/level-store.js';
import { ThreadGate } from '../../../src/store/leveldb/thread-gate.js';
import { takeLock } from '../../../src/store/files/lock.js';
import { MemoryStore } from '../../support/memory-store.js';
import { FaultyStore } from '../../support/faulty-store.js';
import { temporaryFolder } from '../../support/temporary.js';
import { admitted, crypto, steppingClock, text } from '../support.js';

const put = (key: string, value: string) => ({ type: 'put' as const, key: text(key), value: text(value) });

describe('row checksums', () => {
  it('cover key and value, and are stored before the value, whatever the lengths', async () => {
    const memory = new MemoryStore();
    const rows = ['', 'k', 'key', 'keys', 'longer key'].flatMap((key) =>
      ['', 'v', 'x'.repeat(100)].map((value) => put(`${key}${value.length}`, value)),
    );
    await withRowChecksums(memory).commit([...rows, { type: 'delete', key: text('none') }], { sync: true });
    for (const { key, value } of rows) {
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc32(Buffer.concat([key, value])));
      expect(memory.get(key)).toEqual(new Uint8Array(Buffer.concat([sum, value])));
    }
  });

  it('detect a flipped bit, and a value that belongs to another key', async () => {
    const memory = new MemoryStore();
    const store = withRowChecksums(memory);
    await store.commit([put('a', 'one'), put('b', 'two')], { sync: true });
    await memory.commit([{ type: 'put', key: text('a'), value: memory.get(text('b')) ?? text('') }]);
    expect(() => store.get(text('a'))).toThrow(CorruptionError);
    expect(() => store.get(text('a'))).toThrow(/key 61/);
    await expect(store.range({ start: text('a'), end: text('z'), limit: 9 })).rejects.toBeInstanceOf(CorruptionError);
    const flipping = withRowChecksums(new FaultyStore({ seed: 7, readFlips: 1 }));
    await flipping.commit([put('a', 'one')], { sync: true });
    expect(() => flipping.get(text('a'))).toThrow(CorruptionError);
  });
});

it('sizeOf estimates how many bytes a range of rows takes on disk', async () => {
  const store = await openLevelStore(join(temporaryFolder(), 'database'), { create: true });
  await store.commit(
    [{ type: 'put', key: text('a'), value: new Uint8Array(randomBytes(100_000)) }, put('b', 'short')],
    { sync: true },
  );
  await store.compact?.(text('a'), text('z'));
  const [long, short] = [await store.sizeOf?.(text('a'), text('b')), await store.sizeOf?.(text('b'), text('c'))];
  expect(long).toBeGreaterThan(50_000);
  expect(short).toBeLessThan(50_000);
  await store.close();
});

describe('poison rule', () => {
  it('rejects all reads and writes after the first failed write', async () => {
    const faulty = new FaultyStore({ seed: 1, commitFails: 1 });
    const store = withPoisonRule(faulty);
    await expect(store.commit([put('a', '1')], { sync: true })).rejects.toThrow(/EIO|ENOSPC/);
    await expect(store.commit([put('a', '1')], { sync: true })).rejects.toBeInstanceOf(PoisonedError);
    await expect(store.range({ start: text('a'), end: text('b'), limit: 1 })).rejects.toBeInstanceOf(PoisonedError);
    expect(() => store.get(text('a'))).toThrow(PoisonedError);
    expect(faulty.attempts).toBe(1);
  });
});

describe('level store', () => {
  it('keeps rows over close and open', async () => {
    const directory = join(temporaryFolder(), 'db');
    const store = await openLevelStore(directory, { create: true });
    await store.commit([put('a', '1')], { sync: true });
    await store.close();
    const again = await openLevelStore(directory, { create: false });
    expect(again.get(text('a'))).toEqual(text('1'));
    await again.close();
  });

  it('writes nothing of a batch when generating its rows fails', async () => {
    const directory = join(temporaryFolder(), 'db');
    const store = await openLevelStore(directory, { create: true });
    function* failing() {
      for (let at = 0; at <= FIXED_LIMITS.madeRowsPerTurn; at += 1) yield put(`k${at}`, '1');
      throw new Error('a row cannot be made');
    }
    await expect(store.commit([put('a', '1')], { sync: true, before: failing() })).rejects.toThrow('cannot be made');
    await store.close();
    const again = await openLevelStore(directory, { create: false });
    expect(['k0', 'a'].map((key) => again.get(text(key)))).toEqual([undefined, undefined]);
    await again.close();
  });

  it('does not create a database unless told to', async () => {
    const directory = join(temporaryFolder(), 'db');
    await expect(openLevelStore(directory, { create: false })).rejects.toThrow(/no database/);
    expect(existsSync(directory)).toBe(false);
  });

  it('repeats a torn creation, and never touches files that it did not make', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'db.tmp'));
    writeFileSync(join(home, 'db.tmp', 'CURRENT'), 'MANIFEST-000009\n');
    const store = await openLevelStore(join(home, 'db'), { create: true });
    await store.close();
    expect(readdirSync(home)).toEqual(['db']);
    mkdirSync(join(home, 'other'));
    writeFileSync(join(home, 'other', 'thesis.txt'), 'years of work');
    await expect(openLevelStore(join(home, 'other'), { create: true })).rejects.toBeInstanceOf(CorruptionError);
    expect(readFileSync(join(home, 'other', 'thesis.txt'), 'utf8')).toBe('years of work');
  });

  it('refuses a second open in the process without harming the first', async () => {
    const directory = join(temporaryFolder(), 'db');
    const store = await openLevelStore(directory, { create: true });
    await expect(openLevelStore(directory, { create: true })).rejects.toBeInstanceOf(HomeLockedError);
    await store.commit([put('a', '1')], { sync: true });
    expect(store.get(text('a'))).toEqual(text('1'));
    await store.close();
  });

  it('lets a reader in the same process see committed rows, and refuses its writes', async () => {
    const directory = join(temporaryFolder(), 'db');
    const store = await openLevelStore(directory, { create: true });
    const reader = await openLevelReader(directory, new ThreadGate());
    await store.commit([put('a', '1')], { sync: false });
    expect(reader.get(text('a'))).toEqual(text('1'));
    await expect(reader.commit([put('a', '2')], { sync: false })).rejects.toThrow(/only reads/);
    await reader.close();
    await store.commit([put('a', '3')], { sync: true });
    await store.close();
  });

  it('lets a worker thread read the open database', async () => {
    const directory = join(temporaryFolder(), 'db');
    const store = await openLevelStore(directory, { create: true });
    await store.commit([put('a', '1')], { sync: false });
    const script = `
      const { Level } = require('level');
      const { parentPort, workerData } = require('node:worker_threads');
      const database = new Level(workerData, { keyEncoding: 'view', valueEncoding: 'view' });
      database.open({ createIfMissing: false, multithreading: true }).then(async () => {
        parentPort.postMessage(database.getSync(new Uint8Array([97])).length);
        await database.close();
      });`;
    const length = await new Promise((resolve, reject) => {
      const worker = new Worker(script, { eval: true, workerData: directory });
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    expect(length).toBe(4 + 1);
    await store.close();
  });
});

describe('a write-ahead log', () => {
  async function filled(sync: LogSync = 'os'): Promise<{ home: string; file: string }> {
    const home = temporaryFolder();
    const store = await openLevelStore(join(home, 'db'), { create: true });
    const log = await openEventLog({ store, crypto, clock: steppingClock(), sync });
    for (let number = 0; number < 20; number += 1) await log.append([{ event: admitted(`tx ${number}`) }]);
    await store.close();
    const name = readdirSync(join(home, 'db')).find((candidate) => candidate.endsWith('.log')) ?? '';
    return { home, file: join('db', name) };
  }

  it('that a crash cut off anywhere opens as a gapless prefix', async () => {
    const { home, file } = await filled();
    const length = statSync(join(home, file)).size;
    const heads = new Set<bigint>();
    for (const cut of [...Array.from({ length: Math.ceil(length / 97) }, (_, step) => step * 97), length]) {
      const target = temporaryFolder();
      cpSync(home, target, { recursive: true });
      truncateSync(join(target, file), cut);
      const store = await openLevelStore(join(target, 'db'), { create: false });
      const log = await openEventLog({ store, crypto, clock: steppingClock(), sync: 'os' });
      expect(fileProblems(join(target, 'db'))).toEqual([]);
      expect((await log.verifyAll()).problems).toEqual([]);
      heads.add(log.head().position);
      await store.close();
    }
    expect(heads.size).toBe(21);
  });

  it('with damage before its synced end is refused before LevelDB can drop the evidence', async () => {
    const { home, file } = await filled('always');
    const bytes = readFileSync(join(home, file));
    bytes[300] = (bytes[300] ?? 0) ^ 1;
    writeFileSync(join(home, file), bytes);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(openLevelStore(join(home, 'db'), { create: false })).rejects.toMatchObject({
        name: 'CorruptionError',
        where: { file: file.slice(3) },
      });
    }
    expect(readFileSync(join(home, file)).equals(bytes)).toBe(true);
  });
});

it.skipIf(process.platform === 'win32')(
  'the database folder is accessible by its owner only (win32 has no such rights)',
  async () => {
    const database = join(temporaryFolder(), 'db');
    await (await openLevelStore(database, { create: true })).close();
    const marker = join(database, 'INITIALIZED');
    for (const path of [database, marker]) chmodSync(path, 0o755);
    await (await openLevelStore(database, { create: false })).close();
    expect(statSync(database).mode & 0o777).toBe(0o700);
    expect(statSync(marker).mode & 0o777).toBe(0o600);
  },
);

describe('lock of a home', () => {
  const path = () => join(temporaryFolder(), 'db');

  it('is refused while a living process holds it, and the error names that process', async () => {
    const database = path();
    const file = `${database}.lock`;
    const holder = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const start = readFileSync(`/proc/${holder.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    writeFileSync(file, JSON.stringify({ pid: holder.pid, start: `${boot}/${start}` }));
    expect(() => takeLock(database)).toThrow(HomeLockedError);
    expect(() => takeLock(database)).toThrow(new RegExp(`process ${holder.pid}`));
    const gone = new Promise((resolve) => holder.once('exit', resolve));
    holder.stdin.end();
    await gone;
    takeLock(database).release();
  });

  it('is taken over from a dead process, from a reused pid, and from a damaged file', () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    for (const stale of [
      JSON.stringify({ pid: dead, start: '' }),
      JSON.stringify({ pid: process.pid, start: 'another-boot/1' }),
      '',
    ]) {
      const database = path();
      const file = `${database}.lock`;
      writeFileSync(file, stale);
      const lock = takeLock(database);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid });
      expect(() => takeLock(database)).toThrow(HomeLockedError);
      expect(lock.isHeld()).toBe(true);
      lock.release();
      expect(existsSync(file)).toBe(false);
      lock.release();
    }
  });
});
