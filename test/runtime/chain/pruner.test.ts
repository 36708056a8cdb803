/** Pruning in slices that another part may hold. */
import { expect, test } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import type { StoreOperation } from '../../../src/core/ports/key-value-store.js';
import { toHeight } from '../../../src/core/primitives.js';
import { Pruner, prunableStates } from '../../../src/runtime/chain/pruner.js';
import { lowestHeight } from '../../../src/store/state/latest.js';
import { MemoryStore } from '../../support/memory-store.js';
import { VirtualTime } from '../../support/simulated-time.js';

/** Heights of several slices, without rows to delete. */
const HEAD = toHeight(BigInt(5 * FIXED_LIMITS.prunedRows));
const LONG_MS = 100 * FIXED_LIMITS.prunePauseMs;

function pruning() {
  const store = new MemoryStore();
  const time = new VirtualTime();
  const failures: unknown[] = [];
  const pruner = new Pruner({
    prunables: [prunableStates({ keepRecent: 2n, interval: 10n }, store, toHeight(0n))],
    log: { tend: (rows: () => readonly StoreOperation[]) => store.commit(rows()) },
    timers: time,
    onFailure: (error) => failures.push(error),
  });
  return { pruner, time, failures, lowest: () => lowestHeight(store) };
}

test('the states behind the head are pruned in slices, with a pause after each', async () => {
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

test('nothing is pruned while it is held, also not what a block asks for', async () => {
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
