/** Large batches are prepared in slices, so that the event loop turns meanwhile. */
import { expect, it } from 'vitest';
import { FIXED_LIMITS } from '../../src/core/limits/limits.js';
import type { StoreOperation } from '../../src/core/ports/key-value-store.js';
import { be64 } from '../../src/core/bytes/big-endian.js';
import { withRowChecksums } from '../../src/store/checked-store.js';
import { inTurns } from '../../src/store/in-turns.js';
import { MemoryStore } from '../support/memory-store.js';

const { batchRowsPerTurn: ROWS } = FIXED_LIMITS;

it('gives every item once and in order, with a turn behind each slice of a large batch alone', async () => {
  const given = async (count: number): Promise<readonly unknown[]> => {
    const taken: number[] = [];
    const sizes: number[] = [];
    let turns = 0;
    const take = (slice: readonly number[]): void => {
      sizes.push(slice.length);
      for (const one of slice) taken.push(one);
    };
    const items = Array.from({ length: count }, (_, index) => index);
    await inTurns(items, take, async () => (turns += 1));
    expect(taken).toEqual(items);
    return [sizes, turns];
  };
  expect(await given(0)).toEqual([[0], 0]);
  expect(await given(ROWS)).toEqual([[ROWS], 0]);
  expect(await given(ROWS + 1)).toEqual([[ROWS, 1], 2]);
});

it('seals the rows of a large batch in turns of the event loop', async () => {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const below = new MemoryStore();
  const committed: number[] = [];
  const store = withRowChecksums({
    get: (key) => below.get(key),
    range: (options) => below.range(options),
    commit: async (operations) => void committed.push(operations.length, turns),
    close: () => below.close(),
  });
  const rows = Array.from({ length: 2 * ROWS + 1 }, (_, at): StoreOperation => ({
    type: 'put',
    key: be64(BigInt(at)),
    value: Uint8Array.of(1),
  }));
  await store.commit(rows, { sync: false });
  isOver = true;
  expect(committed[0]).toBe(rows.length);
  expect(committed[1]).toBeGreaterThanOrEqual(2);
});
