/** Large batches are prepared in slices, so that the event loop turns in between. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import type { StoreOperation } from '../../../src/core/ports/key-value-store.js';
import { be64 } from '../../../src/core/bytes/big-endian.js';
import { withPoisonRule, withRowChecksums } from '../../../src/store/leveldb/checked-store.js';
import { openLevelStore } from '../../../src/store/leveldb/level-store.js';
import { inSlices, WriteOrder } from '../../../src/store/leveldb/write-order.js';
import { MemoryStore } from '../../support/memory-store.js';
import { temporaryFolder } from '../../support/temporary.js';

const { batchRowsPerTurn: ROWS, madeRowsPerTurn: MADE } = FIXED_LIMITS;

it('inSlices takes every item once and in order, and yields a turn only after slices of a large batch', async () => {
  const given = async (count: number): Promise<readonly unknown[]> => {
    const taken: number[] = [];
    const sizes: number[] = [];
    let turns = 0;
    const take = (slice: readonly number[]): void => {
      sizes.push(slice.length);
      for (const one of slice) taken.push(one);
    };
    const items = Array.from({ length: count }, (_, index) => index);
    await inSlices(items, take, async () => (turns += 1));
    expect(taken).toEqual(items);
    return [sizes, turns];
  };
  expect(await given(0)).toEqual([[0], 0]);
  expect(await given(ROWS)).toEqual([[ROWS], 0]);
  expect(await given(ROWS + 1)).toEqual([[ROWS, 1], 2]);
});

/** Counts turns of the event loop until `end`. */
function countTurns(): { readonly turns: () => number; readonly end: () => void } {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return { turns: () => turns, end: () => void (isOver = true) };
}

it('begins a write when the one before it has ended, also after a failed one', async () => {
  const order = new WriteOrder();
  const seen: string[] = [];
  const write = async (name: string, { fails = false } = {}): Promise<void> => {
    seen.push(`${name} begins`);
    await setTimeout(1);
    seen.push(`${name} ends`);
    if (fails) throw new Error(name);
  };
  const settled = Promise.allSettled([
    order.write(() => write('first')),
    order.write(() => write('second', { fails: true })),
    order.write(() => write('third')),
  ]);
  await order.ended();
  expect(seen).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

it('a store has one write in progress, refuses those that wait after a failed one, and closes after them', async () => {
  const below = new MemoryStore();
  const seen: string[] = [];
  const store = withRowChecksums(
    withPoisonRule({
      get: (key) => below.get(key),
      range: (options) => below.range(options),
      async commit(operations) {
        seen.push(`begin ${operations.length}`);
        await setTimeout(1);
        seen.push(`end ${operations.length}`);
        if (operations.length === 2) throw new Error('disk is full');
      },
      close: async () => void seen.push('close'),
    }),
  );
  const rows = (count: number): StoreOperation[] =>
    Array.from({ length: count }, (_, at) => ({ type: 'put', key: be64(BigInt(at)), value: Uint8Array.of(1) }));
  const settled = Promise.allSettled([ROWS + 1, 1, 2, 3].map((count) => store.commit(rows(count), { sync: false })));
  await store.close();
  expect(seen).toEqual([...[ROWS + 1, 1, 2].flatMap((count) => [`begin ${count}`, `end ${count}`]), 'close']);
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
});

it('generates the rows of `before` over several turns of the event loop', async () => {
  const { turns, end } = countTurns();
  const made: number[] = [];
  function* rows() {
    for (let at = 0; at < 3 * MADE; at += 1) {
      made.push(turns());
      yield { type: 'put' as const, key: be64(BigInt(at)), value: Uint8Array.of(1) };
    }
  }
  const store = await openLevelStore(join(temporaryFolder(), 'db'), { create: true });
  const last = { type: 'put' as const, key: be64(0n), value: Uint8Array.of(2) };
  await store.commit([last], { sync: false, before: rows() });
  end();
  expect(store.get(be64(0n))).toEqual(Uint8Array.of(2));
  expect(store.get(be64(BigInt(3 * MADE - 1)))).toEqual(Uint8Array.of(1));
  await store.close();
  const [first, second, third] = [0, MADE, 2 * MADE].map((at) => made[at]);
  expect(made[MADE - 1]).toBe(first);
  expect(second).toBeGreaterThan(first ?? 0);
  expect(third).toBeGreaterThan(second ?? 0);
});

it('computes the checksums of a large batch over several turns of the event loop', async () => {
  const { turns, end } = countTurns();
  const below = new MemoryStore();
  const committed: number[] = [];
  const store = withRowChecksums({
    get: (key) => below.get(key),
    range: (options) => below.range(options),
    commit: async (operations) => void committed.push(operations.length, turns()),
    close: () => below.close(),
  });
  const rows = Array.from({ length: 2 * ROWS + 1 }, (_, at): StoreOperation => ({
    type: 'put',
    key: be64(BigInt(at)),
    value: Uint8Array.of(1),
  }));
  await store.commit(rows, { sync: false });
  end();
  expect(committed[0]).toBe(rows.length);
  expect(committed[1]).toBeGreaterThanOrEqual(2);
});
