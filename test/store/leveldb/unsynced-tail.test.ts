/**
 * Homes as a power cut leaves them: unsynced writes are lost, even parts that reached the disk, and nothing
 * acknowledged as durable is ever cut away.
 */
import {
  closeSync,
  copyFileSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { KeyValueStore, StoreOperation } from '../../../src/core/ports/key-value-store.js';
import { toHeight, type Position } from '../../../src/core/primitives.js';
import { blockIndexRows } from '../../../src/store/log/block-index.js';
import { durableKey, recordBound } from '../../../src/store/keys.js';
import { openEventLog, type EventLog } from '../../../src/store/log/event-log.js';
import { loggedBatch, type LoggedBatch } from '../../../src/store/leveldb/write-batch.js';
import { soundRecords } from '../../../src/store/leveldb/log-format.js';
import { fileProblems } from '../../../src/store/leveldb/scan-files.js';
import { openLevelStore, type LevelStoreOptions } from '../../../src/store/leveldb/level-store.js';
import type { LostTail } from '../../../src/store/leveldb/unsynced-tail.js';
import { temporaryFolder } from '../../support/temporary.js';
import {
  admitted,
  blockHash,
  chainStarted,
  crypto,
  decided,
  executed,
  steppingClock,
  text,
  txHash,
} from '../support.js';

const BLOCK = 32_768;

interface Home {
  readonly directory: string;
  /** The write-ahead logs in their order. */
  readonly logs: readonly string[];
}

function logsOf(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.log'))
    .sort();
}

function batchesOf(directory: string, file: string): LoggedBatch[] {
  return [...soundRecords(readFileSync(join(directory, file)))].flatMap((record) => loggedBatch(record) ?? []);
}

/** A copy of the home, modified by `change`. */
function picture({ directory }: Home, change: (copy: string) => void): string {
  const copy = join(temporaryFolder(), 'db');
  cpSync(directory, copy, { recursive: true });
  change(copy);
  return copy;
}

async function open(
  directory: string,
  options: Partial<LevelStoreOptions> = {},
): Promise<{ head: Position; lost: LostTail | undefined; problems: number }> {
  let lost: LostTail | undefined;
  const onLost = (tail: LostTail): void => void (lost = tail);
  const store = await openLevelStore(directory, { create: false, onLost, ...options });
  try {
    const log = await openEventLog({ store, crypto, clock: steppingClock(), sync: 'block' });
    const problems = [...fileProblems(directory), ...(await log.verifyAll()).problems];
    await log.append([{ event: admitted('after the cut') }], [], { sync: true });
    return { head: log.head().position, lost, problems: problems.length };
  } finally {
    await store.close();
  }
}

const large = (name: string): string => name.padEnd(90_000, '.');

/**
 * Blocks, admissions between them, and a switch of the write-ahead log among the admissions: the files as they are
 * before LevelDB has made a table of the old log.
 */
async function homeWithSwitch(
  keep: (operation: StoreOperation) => boolean = () => true,
): Promise<Home & { readonly durable: Position; readonly next: Position }> {
  const original = join(temporaryFolder(), 'db');
  const directory = join(temporaryFolder(), 'db');
  const opened = await openLevelStore(original, { create: true });
  const store: KeyValueStore = {
    get: (key) => opened.get(key),
    range: (options) => opened.range(options),
    commit: (operations, options) => opened.commit(operations.filter(keep), options),
    close: () => opened.close(),
  };
  const log = await openEventLog({ store, crypto, clock: steppingClock(), sync: 'block' });
  await log.append([{ event: chainStarted() }]);
  await appendBlock(log, 1n);
  const durable = log.head().position;
  cpSync(original, directory, { recursive: true });
  const [old = ''] = logsOf(original);
  const unlinked = openSync(join(original, old), 'r');
  for (let number = 0; logsOf(original).every((file) => file === old); number += 1) {
    expect(number, 'a log is switched').toBeLessThan(200);
    await log.append([{ event: admitted(large(`tx ${number}`)) }]);
  }
  await appendBlock(log, 2n);
  const next = log.head().position;
  await appendBlock(log, 3n);
  const fresh = logsOf(original).at(-1) ?? '';
  writeFileSync(join(directory, old), readFileSync(unlinked));
  closeSync(unlinked);
  copyFileSync(join(original, fresh), join(directory, fresh));
  await store.close();
  return { directory, logs: [old, fresh], durable, next };
}

async function appendBlock(log: EventLog, height: bigint): Promise<void> {
  const rows = blockIndexRows({
    height: toHeight(height),
    blockHash: blockHash(height),
    txHashes: [[txHash(text(`tx-${height}`))]],
  });
  await log.append([{ event: decided(height) }, { event: executed(height) }], rows);
}

describe('a home with a switch of the write-ahead log', () => {
  let home: Awaited<ReturnType<typeof homeWithSwitch>>;
  let old = '';
  let fresh = '';
  let kept = 0;
  beforeAll(async () => {
    home = await homeWithSwitch();
    [old = '', fresh = ''] = home.logs;
    kept = batchesOf(home.directory, old)[1]?.end ?? 0;
  });

  it('opens unchanged when all synced bytes are there', async () => {
    const found = await open(picture(home, () => undefined));
    expect(found).toMatchObject({ head: home.next + 3n, lost: undefined, problems: 0 });
  });

  /** Ends the new log with its first write that is a block: no row says that it was acknowledged. */
  const withoutAcknowledgement = (copy: string): void => {
    const block = batchesOf(copy, fresh).find(({ bytes }) => bytes.length < 50_000);
    truncateSync(join(copy, fresh), block?.end ?? 0);
  };

  it.each<[string, (path: string, size: number) => void]>([
    ['is cut', (path) => truncateSync(path, kept)],
    ['is cut inside of a write', (path) => truncateSync(path, kept + 100_000)],
    ['is zeroed from a boundary of its 32 KiB blocks on', (path, size) => zero(path, nextBlock(kept), size)],
    ['lacks a page in the middle', (path) => zero(path, kept + 8_192, kept + 8_192 + 512)],
    ['lacks every other page', (path, size) => everyOther(path, kept, size)],
  ])('ends before a block that was not acknowledged when the old log %s', async (_, damage) => {
    const copy = picture(home, (directory) => {
      const path = join(directory, old);
      damage(path, readFileSync(path).length);
      withoutAcknowledgement(directory);
    });
    const found = await open(copy, { acknowledged: home.durable });
    expect(found).toMatchObject({ problems: 0, lost: { file: old } });
    expect(found.head).toBeGreaterThan(home.durable);
    expect(found.head).toBeLessThan(home.next);
    // The second start has nothing to report.
    expect((await open(copy)).lost).toBeUndefined();
  });

  it('is refused unchanged when a later block says that the lost writes were durable', async () => {
    const copy = picture(home, (directory) => truncateSync(join(directory, old), kept));
    const before = readFileSync(join(copy, fresh));
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(open(copy)).rejects.toMatchObject({ name: 'CorruptionError', where: { file: old } });
    expect(readFileSync(join(copy, fresh)).equals(before)).toBe(true);
  });

  it('is refused when the witness says that the lost writes were durable', async () => {
    const copy = picture(home, (directory) => {
      truncateSync(join(directory, old), kept);
      withoutAcknowledgement(directory);
    });
    await expect(open(copy, { acknowledged: home.next })).rejects.toMatchObject({ name: 'CorruptionError' });
    expect((await open(copy, { acknowledged: home.durable })).problems).toBe(0);
  });

  it('is refused as damaged when the whole old log is gone', async () => {
    const copy = picture(home, (directory) => {
      writeFileSync(join(directory, old), '');
      withoutAcknowledgement(directory);
    });
    await expect(open(copy)).rejects.toMatchObject({ name: 'CorruptionError', where: { file: old } });
  });

  it('opens when its manifest has an unfinished end', async () => {
    const [manifest = ''] = readdirSync(home.directory).filter((name) => name.startsWith('MANIFEST-'));
    const copy = picture(home, (directory) => {
      const path = join(directory, manifest);
      writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(40, 1), Buffer.alloc(100)]));
    });
    expect((await open(copy)).problems).toBe(0);
  });
});

describe('a manifest whose last edit refers to a missing table', () => {
  /** The home before a table was made of its log, and the manifest that refers to the table. */
  async function flushed(): Promise<{ readonly before: string; readonly manifest: string; readonly edited: Buffer }> {
    const directory = join(temporaryFolder(), 'db');
    const store = await openLevelStore(directory, { create: true });
    const log = await openEventLog({ store, crypto, clock: steppingClock(), sync: 'block' });
    await log.append([{ event: chainStarted() }]);
    await appendBlock(log, 1n);
    const before = join(temporaryFolder(), 'db');
    cpSync(directory, before, { recursive: true });
    const tables = (): number => readdirSync(directory).filter((name) => name.endsWith('.ldb')).length;
    const logs = logsOf(directory);
    while (tables() === 0 || logsOf(directory).some((name) => logs.includes(name)))
      await log.append([{ event: admitted('x'.repeat(1_000_000)) }]);
    const [manifest = ''] = readdirSync(directory).filter((name) => name.startsWith('MANIFEST-'));
    const edited = readFileSync(join(directory, manifest));
    await store.close();
    return { before, manifest, edited };
  }

  it('is cut before that edit when all files of the earlier edits are there', async () => {
    const { before, manifest, edited } = await flushed();
    writeFileSync(join(before, manifest), edited);
    expect(await open(before)).toMatchObject({ problems: 0, head: 4n });
    expect(await open(before)).toMatchObject({ problems: 0, head: 5n });
  });

  it('is damage when a file of an earlier edit is missing, too', async () => {
    const { before, manifest, edited } = await flushed();
    writeFileSync(join(before, manifest), edited);
    for (const name of logsOf(before)) rmSync(join(before, name));
    await expect(open(before)).rejects.toMatchObject({ name: 'CorruptionError', problem: /is missing/ });
  });
});

describe('a home of an earlier build without the row `durable`', () => {
  async function without(...positions: readonly bigint[]): Promise<string> {
    const directory = join(temporaryFolder(), 'db');
    const store = await openLevelStore(directory, { create: true });
    const log = await openEventLog({ store, crypto, clock: steppingClock(), sync: 'block' });
    await log.append([{ event: chainStarted() }]);
    await appendBlock(log, 1n);
    for (const name of ['a', 'b']) await log.append([{ event: admitted(name) }]);
    await appendBlock(log, 2n);
    await appendBlock(log, 3n);
    const rows = await Promise.all(
      positions.map((at) => store.range({ start: recordBound(at), end: recordBound(at + 1n), limit: 10 })),
    );
    const keys = [durableKey(), ...rows.flat().map(({ key }) => key)];
    await store.commit(
      keys.map((key) => ({ type: 'delete', key })),
      { sync: true },
    );
    await store.close();
    return directory;
  }

  it('opens when the log after the switch also ends with a lost write', async () => {
    const isClaim = (key: Uint8Array): boolean => Buffer.compare(key, durableKey()) === 0;
    const home = await homeWithSwitch(({ key }) => !isClaim(key));
    const [old = '', fresh = ''] = home.logs;
    const kept = batchesOf(home.directory, old)[1]?.end ?? 0;
    const copy = picture(home, (directory) => {
      truncateSync(join(directory, old), kept);
      const path = join(directory, fresh);
      writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(100, 1), Buffer.alloc(BLOCK)]));
    });
    expect(await open(copy)).toMatchObject({ head: home.next + 3n, problems: 0 });
  });

  it('opens without the admissions that it lost at a switch, and later record hashes stay valid', async () => {
    const found = await open(await without(4n, 5n));
    expect(found).toEqual({ head: 10n, lost: undefined, problems: 0 });
  });

  it('is refused when a block is lost', async () => {
    await expect(open(await without(6n))).rejects.toThrow('encoded is missing (key 02000000000000000600)');
  });
});

function zero(path: string, from: number, to: number): void {
  writeFileSync(path, readFileSync(path).fill(0, from, to));
}

const nextBlock = (offset: number): number => Math.ceil((offset + 1) / BLOCK) * BLOCK;

function everyOther(path: string, from: number, to: number): void {
  const bytes = readFileSync(path);
  for (let at = Math.ceil(from / 4096) * 4096; at < to; at += 8192) bytes.fill(0, at, Math.min(at + 4096, to));
  writeFileSync(path, bytes);
}
