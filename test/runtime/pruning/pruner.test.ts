/** Pruning in slices that other parts of the node can hold. */
import { expect, test } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import type { StoreOperation } from '../../../src/core/ports/key-value-store.js';
import { toHeight, toTimeNs, type Height } from '../../../src/core/primitives.js';
import { blocksFloorOf, Pruner, prunableStates, type Pruning } from '../../../src/runtime/pruning/pruner.js';
import { lowestHeight } from '../../../src/store/state/latest.js';
import { MemoryStore } from '../../support/memory-store.js';
import { VirtualTime } from '../../support/simulated-time.js';

/** Heights of several slices, without rows to delete. */
const HEAD = toHeight(BigInt(5 * FIXED_LIMITS.prunedRows));
const LONG_MS = 100 * FIXED_LIMITS.prunePauseMs;

function pruning(read?: () => Height | undefined) {
  const store = new MemoryStore();
  const time = new VirtualTime();
  const failures: unknown[] = [];
  const pruner = new Pruner({
    prunables: [prunableStates({ keepRecent: 2n, interval: 10n }, store, toHeight(0n), read)],
    log: { writeRows: (rows: () => readonly StoreOperation[]) => store.commit(rows()) },
    timers: time,
    onFailure: (error) => failures.push(error),
  });
  return { pruner, time, failures, lowest: () => lowestHeight(store) };
}

test('states below the kept ones are pruned in slices, with a pause after each', async () => {
  const { pruner, time, failures, lowest } = pruning();
  pruner.begin(HEAD);
  await time.advance(0);
  expect(lowest()).toBeGreaterThan(0n);
  expect(lowest()).toBeLessThanOrEqual(BigInt(FIXED_LIMITS.prunedRows));
  await time.advance(LONG_MS);
  expect(lowest()).toBe(HEAD - 2n);
  expect(time.waiting).toBe(0);
  expect(failures).toEqual([]);
});

test('nothing is pruned during a hold, even when a new block requests it', async () => {
  const { pruner, time, lowest } = pruning();
  pruner.begin(HEAD);
  await time.advance(FIXED_LIMITS.prunePauseMs);
  await pruner.hold();
  const held = lowest();
  expect(held).toBeLessThan(HEAD - 2n);
  pruner.follow(toHeight(HEAD + 10n));
  await time.advance(LONG_MS);
  expect(lowest()).toBe(held);
  pruner.release();
  await time.advance(LONG_MS);
  expect(lowest()).toBe(HEAD + 8n);
});

test('a pruning begins again after a hold, as the tables may have changed', async () => {
  const time = new VirtualTime();
  let begun = 0;
  const start = () => {
    begun += 1;
    return { next: () => [] };
  };
  const pruner = new Pruner({
    prunables: [{ interval: 1n, floorAt: () => toHeight(1n), start }],
    log: { writeRows: (rows) => Promise.resolve(void rows()) },
    timers: time,
    onFailure: () => undefined,
  });
  pruner.begin(HEAD);
  await time.advance(LONG_MS);
  expect(begun).toBe(1);
  await pruner.hold();
  pruner.release();
  await time.advance(LONG_MS);
  expect(begun).toBe(2);
  await pruner.stop();
});

test('a pruning that lags behind the chain does not delay the slices of another', async () => {
  const time = new VirtualTime();
  const slices = [0, 0];
  const counting = (kind: number, isOver: () => boolean) => ({
    interval: 1n,
    floorAt: () => toHeight(1n),
    start: () => ({
      next() {
        if (isOver()) return undefined;
        slices[kind] = (slices[kind] ?? 0) + 1;
        return [];
      },
    }),
  });
  const pruner = new Pruner({
    prunables: [counting(0, () => false), counting(1, () => slices[1] === 3)],
    log: { writeRows: (rows) => Promise.resolve(void rows()) },
    timers: time,
    onFailure: () => undefined,
  });
  pruner.begin(HEAD);
  await time.advance(LONG_MS);
  expect(slices[0]).toBeGreaterThan(10);
  expect(slices[1]).toBe(3);
  await pruner.stop();
});

test('a stop ends the pruning between two slices', async () => {
  const { pruner, time, lowest } = pruning();
  pruner.begin(HEAD);
  await time.advance(FIXED_LIMITS.prunePauseMs);
  await pruner.stop();
  const stopped = lowest();
  expect(stopped).toBeLessThan(HEAD - 2n);
  pruner.release();
  await time.advance(LONG_MS);
  expect(lowest()).toBe(stopped);
});

test.each([
  ['without a rule all blocks are kept', {}, undefined],
  ['a number is that of the kept blocks, head included', { blocks: 30n }, 71n],
  ['a number above that of all blocks keeps all', { blocks: 91n }, undefined],
  ['a block of exactly the age is kept', { seconds: 40n }, 80n],
  ['a block older than the age is pruned, and later ones are kept', { seconds: 39n }, 81n],
  ['an age of zero keeps the head', { seconds: 0n }, 100n],
  ['an age above that of the lowest block keeps all', { seconds: 1_000n }, undefined],
  ['of two rules the one that keeps more blocks applies: the number', { blocks: 30n, seconds: 40n }, 71n],
  ['of two rules the one that keeps more blocks applies: the age', { blocks: 2n, seconds: 40n }, 80n],
] as const)('%s', (_, rules, floor) => {
  // One block every two seconds.
  const timeOf = (height: bigint) => toTimeNs(height * 2_000_000_000n);
  const facts = { head: toHeight(100n), lowest: toHeight(10n) };
  expect(blocksFloorOf({ blocks: undefined, seconds: undefined, ...rules }, facts, timeOf)).toBe(floor);
});

test('a state that is being read for a snapshot is kept until the read ends', async () => {
  let read: Height | undefined = toHeight(HEAD - 7n);
  const { pruner, time, lowest } = pruning(() => read);
  pruner.begin(HEAD);
  await time.advance(LONG_MS);
  expect(lowest()).toBe(HEAD - 7n);
  read = undefined;
  pruner.follow(toHeight(HEAD + 10n));
  await time.advance(LONG_MS);
  expect(lowest()).toBe(HEAD + 8n);
  await pruner.stop();
});

test('a pruning that lags behind the chain makes shorter pauses until it has caught up', async () => {
  const time = new VirtualTime();
  let isOver = false;
  let slices = 0;
  const start = (): Pruning => ({
    next() {
      slices += 1;
      return isOver ? undefined : [];
    },
  });
  const pruner = new Pruner({
    prunables: [{ interval: 1n, floorAt: (head) => head, start }],
    log: { writeRows: (rows) => Promise.resolve(void rows()) },
    timers: time,
    onFailure(error) {
      throw error;
    },
  });
  const inTime = async (): Promise<number> => {
    slices = 0;
    await time.advance(LONG_MS);
    return slices;
  };
  const { prunePauseMs, leastPrunePauseMs } = FIXED_LIMITS;
  const [slow, fast] = [LONG_MS / prunePauseMs, LONG_MS / leastPrunePauseMs];
  pruner.begin(HEAD);
  expect(await inTime()).toBeLessThanOrEqual(slow + 1);
  pruner.follow(HEAD);
  expect(await inTime()).toBeLessThanOrEqual(slow + 1);
  pruner.follow(toHeight(HEAD + 1n));
  expect(await inTime()).toBeGreaterThan(1.8 * slow);
  for (let later = 2n; later < 30n; later += 1n) pruner.follow(toHeight(HEAD + later));
  const most = await inTime();
  expect(most).toBeGreaterThan(0.9 * fast);
  expect(most).toBeLessThanOrEqual(fast + 1);
  isOver = true;
  await inTime();
  isOver = false;
  // For example records that an anchor replaces.
  pruner.follow(toHeight(HEAD + 29n));
  expect(await inTime()).toBeLessThanOrEqual(slow + 1);
  pruner.follow(toHeight(HEAD + 30n));
  expect(await inTime()).toBeLessThanOrEqual(slow + 1);
  await pruner.stop();
});
