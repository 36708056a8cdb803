import { expect, it } from 'vitest';
import { toHeight } from '../../../src/core/primitives.js';
import { BlockCache } from '../../../src/store/log/block-cache.js';

/** Blocks of the given sizes in bytes, at heights from 1 on. */
function cacheOf(bytes: readonly number[]): BlockCache<number> {
  const cache = new BlockCache<number>((size) => size, { cachedBlocks: 3, cachedBlockBytes: 100 });
  for (const [index, size] of bytes.entries()) cache.set(toHeight(BigInt(index + 1)), size);
  return cache;
}

const kept = (cache: BlockCache<number>): readonly number[] =>
  [1, 2, 3, 4, 5, 6].filter((height) => cache.get(toHeight(BigInt(height))) !== undefined);

it('evicts the least recently read block when there are too many', () => {
  expect(kept(cacheOf([1, 1, 1, 1]))).toEqual([2, 3, 4]);
  const cache = cacheOf([1, 1, 1]);
  cache.get(toHeight(1n));
  cache.set(toHeight(4n), 1);
  expect(kept(cache)).toEqual([1, 3, 4]);
});

it('evicts as many blocks as needed when they have too many bytes together', () => {
  expect(kept(cacheOf([40, 40, 20]))).toEqual([1, 2, 3]);
  expect(kept(cacheOf([40, 40, 21]))).toEqual([2, 3]);
  expect(kept(cacheOf([10, 10, 95]))).toEqual([3]);
});

it('keeps one block of any size, until the next one', () => {
  expect(kept(cacheOf([1, 1_000]))).toEqual([2]);
  expect(kept(cacheOf([1_000, 1]))).toEqual([2]);
});

it('counts the bytes of a block once, also when it is added again, evicted or cleared', () => {
  const cache = cacheOf([40, 40]);
  cache.set(toHeight(2n), 60);
  expect(kept(cache)).toEqual([1, 2]);
  cache.forgetAbove(toHeight(1n));
  cache.set(toHeight(3n), 60);
  expect(kept(cache)).toEqual([1, 3]);
  cache.clear();
  cache.set(toHeight(5n), 60);
  cache.set(toHeight(6n), 40);
  expect(kept(cache)).toEqual([5, 6]);
});
