/** Taking snapshots: chunks as files, one snapshot at a time, and failures that do not stop the node. */
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight } from '../../../src/core/primitives.js';
import { SnapshotStore } from '../../../src/runtime/snapshots/store.js';
import { SnapshotTaker, type SnapshotTakerOptions } from '../../../src/runtime/snapshots/taker.js';
import { temporaryFolder } from '../../support/temporary.js';

const at = (height: number) => toHeight(BigInt(height));

/** Bytes that zlib cannot compress. */
function noise(outputLength: number, seed: number): Uint8Array {
  return createHash('shake256', { outputLength }).update(`${seed}`).digest();
}

/** A taker over prepared slices. */
function taking(folder: string, slices: readonly Uint8Array[], more: Partial<SnapshotTakerOptions> = {}) {
  const lines: string[] = [];
  const store = new SnapshotStore(folder);
  let asked = 0;
  const taker = new SnapshotTaker({
    store,
    executor: {
      async snapshotSlice(_, from) {
        const rank = from?.rank ?? 0;
        asked += 1;
        const items = slices[rank] ?? new Uint8Array();
        return { items, next: rank + 1 < slices.length ? { store: 's', rank: rank + 1 } : undefined };
      },
    },
    interval: 2n,
    keepRecent: 2,
    timers: { yield: () => Promise.resolve() },
    log: {
      info: (line) => lines.push(line),
      error: (line, fields) => lines.push(`${line} ${JSON.stringify(fields)}`),
    },
    ...more,
  });
  return { taker, store, lines, asked: () => asked };
}

test('a snapshot longer than a chunk is split into full chunks and a rest, in order', async () => {
  const slices = [noise(5_100_000, 1), noise(5_100_000, 2)];
  const { taker, store } = taking(temporaryFolder(), slices);
  taker.committed(at(2));
  await taker.idle();
  const [snapshot] = store.list();
  expect(snapshot).toMatchObject({ height: 2n, format: 3, chunks: 2 });
  const place = { height: at(2), format: 3 };
  const chunks = [await store.chunk({ ...place, chunk: 0 }), await store.chunk({ ...place, chunk: 1 })];
  expect(chunks[0]?.length).toBe(FIXED_LIMITS.snapshotChunkBytes);
  const stream = inflateSync(Buffer.concat(chunks.map((chunk) => chunk ?? new Uint8Array())));
  expect(stream.equals(Buffer.concat(slices))).toBe(true);
});

test('no snapshot begins while another is being taken, and the next interval takes one again', async () => {
  const { taker, store, asked } = taking(temporaryFolder(), [noise(10, 1)]);
  for (const height of [1, 2, 3, 4]) taker.committed(at(height));
  await taker.idle();
  expect([store.list().map(({ height }) => height), asked()]).toEqual([[2n], 1]);
  taker.committed(at(6));
  await taker.idle();
  expect(store.list().map(({ height }) => height)).toEqual([6n, 2n]);
});

test('a folder that cannot be written fails the snapshot, not the node, and the next snapshot is tried', async () => {
  const home = temporaryFolder();
  const folder = join(home, 'snapshots');
  writeFileSync(folder, 'a file where the folder should be');
  const { taker, lines } = taking(folder, [noise(10, 1)]);
  for (const height of [2, 4]) {
    taker.committed(at(height));
    await taker.idle();
  }
  expect(lines).toEqual([expect.stringContaining('snapshot given up '), expect.stringContaining('snapshot given up ')]);
});

test('a snapshot whose trees left the memory, or that a stop interrupts, leaves no folder', async () => {
  const folder = temporaryFolder();
  const gone = taking(folder, [], { executor: { snapshotSlice: () => Promise.resolve(undefined) } });
  gone.taker.committed(at(2));
  await gone.taker.idle();
  expect(gone.lines).toEqual([
    'snapshot given up {"height":"2","error":"the trees of its height are no longer in memory"}',
  ]);
  expect(readdirSync(folder)).toEqual([]);

  const stopped = taking(folder, [noise(10, 1), noise(10, 2)]);
  stopped.taker.committed(at(2));
  await stopped.taker.stop();
  expect([stopped.lines, readdirSync(folder)]).toEqual([[], []]);
});

test('a crash while a snapshot is written or removed leaves complete ones unharmed', async () => {
  const folder = temporaryFolder();
  const { taker, store } = taking(folder, [noise(1_000, 1)]);
  taker.committed(at(2));
  await taker.idle();
  const offered = store.list();
  expect(offered).toMatchObject([{ height: 2n }]);

  const cut = store.begin(at(4));
  await cut.add(noise(100, 2));
  cpSync(join(folder, '2'), join(folder, '3.removed'), { recursive: true });
  rmSync(join(folder, '3.removed', '0'));
  const opened = new SnapshotStore(folder);
  expect(readdirSync(folder)).toEqual(['2']);
  expect(opened.list()).toEqual(offered);

  const again = opened.begin(at(2));
  await again.add(noise(100, 3));
  await again.finish();
  expect(opened.list()).toMatchObject([{ height: 2n, chunks: 1 }]);
  expect(await opened.chunk({ height: at(2), format: 3, chunk: 0 })).toEqual(noise(100, 3));
  await opened.prune(0);
  expect(readdirSync(folder)).toEqual([]);
});
