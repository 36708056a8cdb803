import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesLog } from '../../../src/core/ethereum/log-match.js';
import { toHeight } from '../../../src/core/primitives.js';
import { indexFrom } from '../../support/rebuild-indexes.js';
import { searchLogPostings, type IndexedLog } from '../../../src/store/index-rows/log-posting.js';
import { MemoryStore } from '../../support/memory-store.js';

const filled = (length: number) => fc.integer({ min: 0, max: 2 }).map((byte) => new Uint8Array(length).fill(byte));
const log: fc.Arbitrary<IndexedLog> = fc.record({
  address: filled(20),
  topics: fc.array(filled(32), { maxLength: 4 }),
});
const limits = { searchRows: 10_000, logIndexRows: 10_000, rangeRows: 3 };

async function storeOf(blocks: readonly (readonly IndexedLog[])[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  const window = indexFrom(toHeight(1n));
  for (const [index, logs] of blocks.entries()) {
    await store.commit(window.add({ height: toHeight(BigInt(index + 1)), txs: [], events: [], logs }));
  }
  return store;
}

describe('the log index', () => {
  it('finds every block with a matching log, in order, and no block in which a criterion matches nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(log, { maxLength: 3 }), { maxLength: 8 }),
        fc.array(filled(20), { maxLength: 2 }),
        fc.array(fc.array(filled(32), { maxLength: 2 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 8 }),
        async (blocks, addresses, topics, first, span) => {
          const from = toHeight(BigInt(first));
          const to = toHeight(BigInt(first + span));
          const found = await searchLogPostings(await storeOf(blocks), { from, to, addresses, topics }, limits);
          if (!found.ok) throw new Error(found.error.code);
          const heights = blocks
            .map((_, index) => toHeight(BigInt(index + 1)))
            .filter((height) => height >= from && height <= to);
          const logsOf = (height: bigint): readonly IndexedLog[] => blocks[Number(height) - 1] ?? [];
          const matching = heights.filter((height) =>
            logsOf(height).some((one) => matchesLog({ addresses, topics }, one)),
          );
          expect(found.value).toEqual(found.value.toSorted((a, b) => (a < b ? -1 : 1)));
          expect(found.value.filter((height) => matching.includes(height))).toEqual(matching);
          // Each criterion by itself matches some log of a block that was found.
          for (const height of found.value) {
            expect(logsOf(height).some((one) => matchesLog({ addresses, topics: [] }, one))).toBe(true);
            for (const [position, alternatives] of topics.entries()) {
              if (alternatives.length === 0) continue;
              const only = [...topics.slice(0, position).map(() => []), alternatives];
              expect(logsOf(height).some((one) => matchesLog({ addresses: [], topics: only }, one))).toBe(true);
            }
          }
        },
      ),
    );
  });

  it('finds the blocks that touched an address, separately from those with a log of that address', async () => {
    const [one, other] = [new Uint8Array(20).fill(1), new Uint8Array(20).fill(2)];
    const store = new MemoryStore();
    const window = indexFrom(toHeight(1n));
    const block = { txs: [], events: [] };
    await store.commit(window.add({ ...block, height: toHeight(1n), logs: [], touched: [one, other, one] }));
    await store.commit(window.add({ ...block, height: toHeight(2n), logs: [{ address: one, topics: [] }] }));
    await store.commit(window.add({ ...block, height: toHeight(3n), logs: [], touched: [one] }));
    const all = { from: toHeight(1n), to: toHeight(3n), topics: [] };
    const touching = (address: Uint8Array) =>
      searchLogPostings(store, { ...all, addresses: [], touched: [address] }, limits);
    expect(await touching(one)).toEqual({ ok: true, value: [1n, 3n] });
    expect(await touching(other)).toEqual({ ok: true, value: [1n] });
    const logged = await searchLogPostings(store, { ...all, addresses: [one] }, limits);
    expect(logged).toEqual({ ok: true, value: [2n] });
  });

  it('stops at the limit of heights and at the limit of rows', async () => {
    const store = await storeOf(Array.from({ length: 5 }, () => [{ address: new Uint8Array(20), topics: [] }]));
    const search = { from: toHeight(1n), to: toHeight(5n), addresses: [], topics: [] };
    const exceeded = (limit: string, maximum: number) => ({
      ok: false,
      error: { code: 'limit-exceeded', limit, maximum },
    });
    const few = { ...limits, searchRows: 4 };
    expect(await searchLogPostings(store, search, few)).toEqual(exceeded('searchRows', 4));
    expect(await searchLogPostings(store, search, { ...few, searchRows: 5 })).toMatchObject({
      ok: true,
      value: [1n, 2n, 3n, 4n, 5n],
    });
    const fewRows = { ...limits, logIndexRows: 4 };
    expect(await searchLogPostings(store, search, fewRows)).toEqual(exceeded('logIndexRows', 4));
  });

  it('finds a rare topic although the address alone has more blocks than the limit of heights', async () => {
    const address = new Uint8Array(20).fill(1);
    const [rare, frequent] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)];
    const isRare = (index: number): boolean => index === 250 || index === 499;
    const blocks = Array.from({ length: 500 }, (_, index) => [{ address, topics: [isRare(index) ? rare : frequent] }]);
    const store = await storeOf(blocks);
    const search = { from: toHeight(1n), to: toHeight(500n), addresses: [address], topics: [[rare]] };
    const most = { searchRows: 2, logIndexRows: 60, rangeRows: 1_000 };
    expect(await searchLogPostings(store, search, most)).toEqual({ ok: true, value: [251n, 500n] });
  });
});
