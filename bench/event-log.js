/**
 * Events per second through the log on LevelDB: blocks one by one with fsync, many admissions at once, a full read,
 * and a full verification.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toPosition } from '../build/core/primitives.js';
import { openEventLog } from '../build/store/log/event-log.js';
import { openLevelStore } from '../build/store/leveldb/level-store.js';
import { blockEvents, chainStarted, clock, crypto, txAdmitted } from './chain-events.js';
import { durableWrite, timedAsync } from './figures.js';

const SYNCED_BLOCKS = 500;
const BLOCKS = 10_000;
const ADMISSIONS = 20_000;
/** Admissions that arrive in the same turn of the event loop. */
const TOGETHER = 200;

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  const directory = join(folder, 'chronicle.db');
  const store = await openLevelStore(directory, { create: true });
  const log = await openEventLog({ store, crypto, clock, sync: 'block' });
  await log.append([{ event: chainStarted() }]);
  let height = 1n;
  const appendBlocks = async (count, options) => {
    for (let block = 0; block < count; block += 1, height += 1n)
      await log.append(
        blockEvents(height).map((event) => ({ event })),
        [],
        options,
      );
  };
  await appendBlocks(100, { sync: false });
  const synced = await timedAsync(() => appendBlocks(SYNCED_BLOCKS, {}));
  const unsynced = await timedAsync(() => appendBlocks(BLOCKS, { sync: false }));
  const admitting = await timedAsync(async () => {
    for (let first = 0; first < ADMISSIONS; first += TOGETHER) {
      await Promise.all(
        Array.from({ length: TOGETHER }, (_, index) => log.append([{ event: txAdmitted(first + index) }])),
      );
    }
  });
  let read = 0;
  const replaying = await timedAsync(async () => {
    for await (const events of log.read({ from: toPosition(1n) })) read += events.length;
  });
  const verifying = await timedAsync(() => log.verifyAll());
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  const rate = (events, milliseconds) => (events * 1_000) / milliseconds;
  const disk = durableWrite();
  return [
    { name: 'one write of 4 kB and fdatasync on this disk, median', value: disk, unit: 'ms' },
    { name: 'append of a block with fsync / fdatasync alone', value: synced / SYNCED_BLOCKS / disk, unit: 'x' },
    { name: 'append, a block (2 events) a batch, fsync', value: rate(SYNCED_BLOCKS * 2, synced), unit: 'events/s' },
    { name: 'append, a block (2 events) a batch, no fsync', value: rate(BLOCKS * 2, unsynced), unit: 'events/s' },
    { name: 'no fsync / fsync', value: rate(BLOCKS, unsynced) / rate(SYNCED_BLOCKS, synced), unit: 'x' },
    { name: `append, admissions, ${TOGETHER} at once`, value: rate(ADMISSIONS, admitting), unit: 'events/s' },
    { name: 'replay', value: rate(read, replaying), unit: 'events/s' },
    { name: 'verification, files included', value: rate(read, verifying), unit: 'events/s' },
  ];
}
