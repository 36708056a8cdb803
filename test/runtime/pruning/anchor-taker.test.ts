/** When the snapshot of an anchor is taken, and what happens to one that cannot be finished. */
import { expect, test } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import type { SnapshotSlice } from '../../../src/core/multistore/snapshot-slice.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import type { AnchoredState } from '../../../src/runtime/chain/restored-chain.js';
import { AnchorTaker } from '../../../src/runtime/pruning/anchor-taker.js';

const NOTHING = new Uint8Array();
/** The chain at a height, behind an engine. */
const chainAt = (height: bigint): AnchoredState => ({
  height: toHeight(height),
  appHash: NOTHING,
  time: toTimeNs(0n),
  blockHash: NOTHING,
  validators: NOTHING,
  nextValidators: NOTHING,
  consensusParams: NOTHING,
});

/**
 * A taker with an anchor every ten blocks, over a state whose slices come from `slice`. Its snapshot takes `bytes`,
 * and the records that it replaces take `room`.
 */
function taking(slice: () => SnapshotSlice | undefined, bytes = 0, room = 0) {
  const calls = { asked: 0, written: 0, discarded: 0 };
  let head = 0n;
  const taker = new AnchorTaker({
    executor: {
      snapshotSlice() {
        calls.asked += 1;
        return Promise.resolve(slice());
      },
    },
    timers: { yield: () => Promise.resolve() },
    write(rows) {
      calls.written += rows.length;
      return Promise.resolve();
    },
    chain: () => chainAt(head),
    started: { version: '', appVersion: '', skipUpgradeHeights: [] },
    last: () => toHeight(0n),
    bytes: () => bytes,
    room: () => Promise.resolve(room),
    onDiscard: () => (calls.discarded += 1),
    blocks: 10,
  });
  const committed = async (height: bigint): Promise<void> => {
    head = height;
    taker.committed(toHeight(height));
    await taker.idle();
  };
  return { taker, calls, committed };
}

const whole = (): SnapshotSlice => ({ items: Uint8Array.of(1, 2, 3), next: undefined });

test('an anchor is taken once, when it replaces enough blocks', async () => {
  const { taker, calls, committed } = taking(whole);
  for (const height of [1n, 9n]) await committed(height);
  expect(calls.asked).toBe(0);
  for (const height of [10n, 11n, 40n]) await committed(height);
  expect([calls, taker.height, taker.taken?.chain.height]).toEqual([{ asked: 1, written: 1, discarded: 0 }, 10n, 10n]);
});

test('an anchor of a larger state waits for more blocks', async () => {
  const { taker, calls, committed } = taking(whole, 50 * FIXED_LIMITS.anchorBlockBytes);
  for (const height of [10n, 49n]) await committed(height);
  expect(calls.asked).toBe(0);
  await committed(50n);
  expect(taker.taken?.chain.height).toBe(50n);
});

test('an anchor is taken only when the records that it replaces take as much space as its snapshot', async () => {
  const bytes = 500 * FIXED_LIMITS.anchorBlockBytes;
  const next = 10n + FIXED_LIMITS.anchorRetryBlocks;
  for (const [room, taken] of [
    [bytes - 1, undefined],
    [bytes, next],
  ] as const) {
    const { taker, calls, committed } = taking(whole, bytes, room);
    for (const height of [10n, 11n, next - 1n]) await committed(height);
    expect(calls.asked).toBe(0);
    await committed(next);
    expect(taker.taken?.chain.height).toBe(taken);
  }
});

test('an anchor whose trees were evicted from memory is taken again some blocks later', async () => {
  let isGone = true;
  const { taker, calls, committed } = taking(() => (isGone ? undefined : whole()));
  await committed(10n);
  expect([calls.discarded, taker.height]).toEqual([1, undefined]);
  isGone = false;
  await committed(11n);
  expect(taker.taken).toBeUndefined();
  await committed(10n + FIXED_LIMITS.anchorRetryBlocks);
  expect(taker.taken?.chain.height).toBe(110n);
});

test('an anchor of an abandoned block is discarded at a revert', async () => {
  const { taker, calls, committed } = taking(whole);
  await committed(10n);
  taker.reverted(toHeight(10n));
  expect(taker.taken?.chain.height).toBe(10n);
  taker.reverted(toHeight(9n));
  expect([taker.taken, calls.discarded]).toEqual([undefined, 1]);
});
