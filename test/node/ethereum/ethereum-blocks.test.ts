import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { NO_RESULTS } from '../../../src/core/comet/encoded-results.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight, toPosition, toTimeNs } from '../../../src/core/primitives.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import { BlockIDSchema } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { EthereumBlocks } from '../../../src/node/ethereum/blocks.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { be64 } from '../../../src/core/bytes/big-endian.js';
import { deleteIndex } from '../../../src/store/index-rows/index-rows.js';
import { logPostingKeys } from '../../../src/store/index-rows/log-posting.js';
import { CURSOR_KEY } from '../../../src/store/index-rows/posting-key.js';
import { MemoryStore } from '../../support/memory-store.js';

const ADDRESS = new Uint8Array(20).fill(7);
const HEAD = 10n;

/**
 * Ten blocks, indexed up to the sixth; the second and the fifth have a log of `ADDRESS`. `reads` counts reads of the
 * store.
 */
async function chainOfTen() {
  const store = new MemoryStore();
  const keys = [2n, 5n].flatMap((height) => logPostingKeys(toHeight(height), [{ address: ADDRESS, topics: [] }]));
  await store.commit([
    ...keys.map((key) => ({ type: 'put', key, value: new Uint8Array() }) as const),
    { type: 'put', key: CURSOR_KEY, value: be64(6n) },
  ]);
  let reads = 0;
  let before = (_store: MemoryStore): Promise<void> => Promise.resolve();
  const empty = new Uint8Array(32);
  const blocks = new EthereumBlocks({
    prevRandao: empty,
    chain: {
      genesis: () => ({ json: new Uint8Array(), chainId: 'x', initialHeight: toHeight(1n) }),
      earliestHeight: () => toHeight(1n),
      head: () => ({
        height: toHeight(HEAD),
        position: toPosition(1n),
        blockHash: empty,
        appHash: empty,
        time: toTimeNs(0n),
      }),
      block: (height) => ({
        block: create(BlockSchema, { header: { height }, data: {} }),
        blockId: create(BlockIDSchema),
        size: 0,
      }),
      results: () => NO_RESULTS,
      consensusParams: () => undefined,
      heightByHash: () => undefined,
      place: () => undefined,
    },
    store: {
      get: (key) => ((reads += 1), store.get(key)),
      range: async (query) => {
        reads += 1;
        await before(store);
        return store.range(query);
      },
    },
    crypto: createPureCrypto(),
    limits: DEFAULT_LIMITS,
    genesis: { timestamp: 0n, maxGas: -1n, baseFeePerGas: undefined },
  });
  return { blocks, reads: () => reads, beforeRange: (run: typeof before) => (before = run) };
}

const heights = async (blocks: EthereumBlocks, from: bigint, to: bigint): Promise<readonly bigint[]> => {
  const found = await blocks.candidates(toHeight(from), toHeight(to), [ADDRESS], []);
  return found.ok ? found.value : [];
};

it('candidates for a log come from the index, and above it every block is a candidate', async () => {
  const { blocks } = await chainOfTen();
  expect(await heights(blocks, 1n, 10n)).toEqual([2n, 5n, 7n, 8n, 9n, 10n]);
  expect(await heights(blocks, 3n, 6n)).toEqual([5n]);
  expect(await heights(blocks, 8n, 20n)).toEqual([8n, 9n, 10n]);
});

it('candidates among cached blocks need no read of the store', async () => {
  const { blocks, reads } = await chainOfTen();
  for (let height = 4n; height <= HEAD; height += 1n) blocks.block(toHeight(height));
  expect(await heights(blocks, 4n, 10n)).toEqual([4n, 5n, 6n, 7n, 8n, 9n, 10n]);
  expect(await heights(blocks, 5n, 5n)).toEqual([5n]);
  expect(reads()).toBe(0);
  expect(await heights(blocks, 1n, 5n)).toEqual([2n, 4n, 5n]);
  expect(reads()).toBeGreaterThan(0);
  blocks.forgetAbove(toHeight(4n), toPosition(99n));
  expect(blocks.has(toHeight(4n))).toBe(true);
  expect(blocks.has(toHeight(5n))).toBe(false);
  expect(await heights(blocks, 4n, 10n)).toEqual([5n, 7n, 8n, 9n, 10n]);
});

it('every block is a candidate when the index is deleted during the search', async () => {
  const { blocks, beforeRange } = await chainOfTen();
  beforeRange((store) => deleteIndex(store, 100));
  expect(await heights(blocks, 1n, 10n)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n]);
});

it('a block that a revert is about to remove is not cached', async () => {
  const { blocks } = await chainOfTen();
  const [leaving, other] = [toHeight(4n), toHeight(5n)];
  expect(blocks.leaving(leaving)?.height).toBe(4n);
  expect(blocks.block(other)?.height).toBe(5n);
  expect([blocks.has(leaving), blocks.has(other)]).toEqual([false, true]);
});
