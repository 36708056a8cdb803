/** The logs of a range with more blocks than one search of the index returns. */
import { expect, test } from 'vitest';
import { searchLogs } from '../../../src/adapters/eth-rpc/log-search.js';
import type { MethodContext } from '../../../src/adapters/eth-rpc/method.js';
import { toHeight } from '../../../src/core/primitives.js';

test('a filter that was not polled for long is searched in pieces, without a gap', async () => {
  const pieces: (readonly [bigint, bigint])[] = [];
  const api: Partial<MethodContext['api']> = {
    candidateBlocks(from, to) {
      pieces.push([from, to]);
      return Promise.resolve({ ok: true, value: [] });
    },
  };
  const context = { api, limits: {}, timers: {} } as MethodContext;
  const found = await searchLogs(toHeight(7n), toHeight(40_000n), { addresses: [], topics: [] }, context);
  expect(found).toEqual({ ok: true, value: { text: '', through: 40_000n } });
  expect(pieces).toEqual([
    [7n, 16_390n],
    [16_391n, 32_774n],
    [32_775n, 40_000n],
  ]);
});
