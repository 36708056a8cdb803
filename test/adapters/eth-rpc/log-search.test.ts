/** The logs of a range with more blocks than one search of the index returns. */
import { expect, test } from 'vitest';
import { searchLogs } from '../../../src/adapters/eth-rpc/log-search.js';
import type { MethodContext } from '../../../src/adapters/eth-rpc/method.js';
import { toHeight } from '../../../src/core/primitives.js';

test('a filter that was not polled for long is searched in pieces, without a gap', async () => {
  const pieces: (readonly [bigint, bigint])[] = [];
  const api: Partial<MethodContext['api']> = {
    earliestBlock: () => toHeight(7n),
    firstBlock: () => toHeight(1n),
    candidateBlocks(from, to) {
      pieces.push([from, to]);
      return Promise.resolve({ ok: true, value: [] });
    },
  };
  const context = { api, limits: {}, timers: {} } as MethodContext;
  const found = await searchLogs(toHeight(7n), toHeight(40_000n), { addresses: [], topics: [] }, context);
  expect(found).toEqual({ ok: true, value: { parts: [], count: 0, through: 40_000n } });
  expect(pieces).toEqual([
    [7n, 16_390n],
    [16_391n, 32_774n],
    [32_775n, 40_000n],
  ]);
});

test('a search gives others a turn after each large block that is read anew', async () => {
  const { heights, turns, context } = storedBlocks(8, 1_000);
  await searchLogs(toHeight(1n), toHeight(8n), { addresses: [], topics: [] }, context);
  expect(heights).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]);
  expect(turns.filter((read) => read > 1)).toEqual([]);
});

test('a search fails when the blocks of a piece are pruned while their index is read', async () => {
  let lowest = toHeight(1n);
  const api: Partial<MethodContext['api']> = {
    earliestBlock: () => lowest,
    firstBlock: () => toHeight(1n),
    candidateBlocks(from) {
      if (from > 16_384n) lowest = toHeight(from + 1n);
      return Promise.resolve({ ok: true, value: [] });
    },
  };
  const context = { api, limits: {}, timers: {} } as MethodContext;
  const search = (to: bigint): ReturnType<typeof searchLogs> =>
    searchLogs(toHeight(1n), toHeight(to), { addresses: [], topics: [] }, context);
  expect(await search(16_384n)).toMatchObject({ ok: true });
  expect(await search(16_385n)).toEqual({
    ok: false,
    error: { code: 4444, message: 'pruned history unavailable' },
  });
});

/** Blocks that are not in memory, all with as many transactions. `turns`: blocks read in each turn. */
function storedBlocks(
  count: number,
  transactions: number,
): {
  readonly heights: bigint[];
  readonly turns: number[];
  readonly context: MethodContext;
} {
  const heights: bigint[] = [];
  const turns = [0];
  const all = Array.from({ length: transactions }, () => ({ receipt: { logs: [], logCount: 0 } }));
  const api = {
    earliestBlock: () => toHeight(0n),
    firstBlock: () => toHeight(1n),
    isInMemory: () => false,
    block(height: bigint) {
      heights.push(height);
      turns.push((turns.pop() ?? 0) + 1);
      return { height, transactions: all };
    },
    candidateBlocks: () =>
      Promise.resolve({ ok: true, value: Array.from({ length: count }, (_, at) => toHeight(BigInt(at) + 1n)) }),
  };
  const timers = { yield: () => Promise.resolve(void turns.push(0)) };
  const context = { api, limits: { ethLogsResults: 10_000 }, timers } as unknown as MethodContext;
  return { heights, turns, context };
}
