/** Pruning of the state in slices, with a restart after any slice, and verification of pruned homes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LogProblem } from '../../../src/store/log/log-problem.js';
import { toHeight, type Height } from '../../../src/core/primitives.js';
import { compareRows } from '../../../src/store/log/compare-rows.js';
import { createStateReader, lowestHeight, stateRows } from '../../../src/store/state/latest.js';
import { pruneState, StatePruning } from '../../../src/store/state/prune.js';
import { latestKey, undoKey } from '../../../src/store/state/tables.js';
import { encodeUndoPage, undoEntries } from '../../../src/store/state/undo.js';
import { decodeVersion, encodeVersion } from '../../../src/store/state/version-row.js';
import { MemoryStore } from '../../support/memory-store.js';

const KEYS = [0, 1, 2, 3].map((byte) => Uint8Array.of(byte));
const FIRST = toHeight(4n);
const block = fc.uniqueArray(
  fc.record({
    store: fc.constant('a'),
    key: fc.constantFrom(...KEYS),
    value: fc.option(fc.uint8Array({ minLength: 1, maxLength: 2 }), { nil: undefined }),
  }),
  { maxLength: 4, selector: ({ key }) => key.join() },
);
const blocks = fc.array(block, { minLength: 1, maxLength: 9 });
const atHeight = (index: number): Height => toHeight(FIRST + BigInt(index));

async function write(store: MemoryStore, index: number, writes: Parameters<typeof stateRows>[1]): Promise<void> {
  await store.commit(stateRows(atHeight(index), writes, (key) => store.get(key)));
}

/** The values at every height from `from` on. */
function values(store: MemoryStore, from: Height, count: number): readonly (readonly unknown[])[] {
  return Array.from({ length: count }, (_, index) => atHeight(index))
    .filter((height) => height >= from)
    .map((height) => KEYS.map((key) => createStateReader(store, height).get('a', key)));
}

async function rowsOf(store: MemoryStore): Promise<unknown> {
  return store.range({ start: Uint8Array.of(0), end: Uint8Array.of(0xff), limit: 10_000 });
}

it('pruning leaves the same rows with a restart after any slice, and every kept height unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(
      blocks,
      fc.nat(8),
      fc.integer({ min: 1, max: 5 }),
      fc.infiniteStream(fc.boolean()),
      async (all, kept, rows, restarts) => {
        const [store, whole] = [new MemoryStore(), new MemoryStore()];
        for (const each of [store, whole])
          for (const [index, writes] of all.entries()) await write(each, index, writes);
        const floor = atHeight(Math.min(kept, all.length - 1));
        const before = values(store, floor, all.length);
        let pruning = new StatePruning(store, FIRST);
        for (let slice = pruning.next(floor, rows); slice !== undefined; slice = pruning.next(floor, rows)) {
          await store.commit(slice);
          expect(values(store, floor, all.length)).toEqual(before);
          if (restarts.next().value === true) pruning = new StatePruning(store, FIRST);
        }
        expect(lowestHeight(store)).toBe(floor);
        await pruneState(whole, { first: FIRST, floor, rows: 1_000 });
        expect(await rowsOf(store)).toEqual(await rowsOf(whole));
      },
    ),
  );
});

it('a slice of pruning reads about as many rows as its limit, however many rows a block wrote', async () => {
  const store = new MemoryStore();
  const many = Array.from({ length: 100 }, (_, byte) => ({ store: 'a', key: Uint8Array.of(byte), value: undefined }));
  await write(
    store,
    0,
    many.map((one) => ({ ...one, value: Uint8Array.of(1) })),
  );
  await write(store, 1, many);
  await write(store, 2, []);
  let reads = 0;
  const counted = { get: (key: Uint8Array) => ((reads += 1), store.get(key)) };
  const pruning = new StatePruning(counted, FIRST);
  const slices: number[] = [];
  for (reads = 0; ; reads = 0) {
    const slice = pruning.next(atHeight(2), 30);
    if (slice === undefined) break;
    slices.push(reads);
    await store.commit(slice);
  }
  expect(Math.max(...slices)).toBeLessThanOrEqual(40);
  expect(slices.length).toBeGreaterThanOrEqual(6);
  expect(await store.range({ start: latestKey('a', Uint8Array.of()), end: Uint8Array.of(0x11), limit: 10 })).toEqual(
    [],
  );
});

it('a pruned state has the rows that are derived from the whole log, whenever it was pruned', async () => {
  await fc.assert(
    fc.asyncProperty(blocks, fc.array(fc.nat(8), { maxLength: 9 }), async (all, floors) => {
      const [live, derived] = [new MemoryStore(), new MemoryStore()];
      for (const [index, writes] of all.entries()) {
        await write(live, index, writes);
        await write(derived, index, writes);
        const floor = atHeight(Math.min(floors[index] ?? 0, index));
        if (floor > lowestHeight(live)) await pruneState(live, { first: FIRST, floor, rows: 3 });
      }
      await pruneState(derived, { first: FIRST, floor: lowestHeight(live), rows: 1_000 });
      const problems: LogProblem[] = [];
      await compareRows(live, derived, (problem) => void problems.push(problem));
      expect(problems).toEqual([]);
    }),
  );
});

it('verification of a pruned state reports a changed row of a kept height', async () => {
  const [live, derived] = [new MemoryStore(), new MemoryStore()];
  const key = Uint8Array.of(1);
  for (const each of [live, derived]) {
    for (const value of [1, 2, 3, 4]) await write(each, value, [{ store: 'a', key, value: Uint8Array.of(value) }]);
    await pruneState(each, { first: FIRST, floor: atHeight(2), rows: 9 });
  }
  for (const value of [Uint8Array.of(9), undefined]) {
    const changed = (row: Uint8Array): Uint8Array => encodeVersion({ ...decodeVersion(row), value });
    for (const [damaged, change] of [
      [latestKey('a', key), changed],
      [
        undoKey(atHeight(3)),
        (page) =>
          encodeUndoPage([...undoEntries(page)].map(({ key: of, row }) => ({ key: of, row: row && changed(row) }))),
      ],
    ] as const satisfies readonly (readonly [Uint8Array, (bytes: Uint8Array) => Uint8Array])[]) {
      const row = live.get(damaged) ?? new Uint8Array();
      await live.commit([{ type: 'put', key: damaged, value: change(row) }]);
      const problems: LogProblem[] = [];
      await compareRows(live, derived, (problem) => void problems.push(problem));
      expect(problems).toHaveLength(1);
      await live.commit([{ type: 'put', key: damaged, value: row }]);
    }
  }
});
