import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHeight, type Height } from '../../../src/core/primitives.js';
import { EventSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { parseQuery } from '../../../src/core/query/index.js';
import {
  forgetIndexRows,
  IndexBatch,
  indexedThrough,
  indexKeys,
  indexRows,
  revertedCursor,
  sharingHeights,
  unsharedRows,
} from '../../../src/store/index-rows/index-rows.js';
import type { BlockEvents } from '../../../src/store/index-rows/posting.js';
import { searchPostings } from '../../../src/store/index-rows/search.js';
import { MemoryStore } from '../../../src/store/memory-store.js';
import { propertyRuns } from '../../support/property-runs.js';

const FIRST = toHeight(1n);
const VALUES = ['a', 'b', '0xAB', '0xab', '', 'v'.repeat(600), `${'v'.repeat(600)}w`];
const QUERIES = [
  "e.k = 'a'",
  "e.k = '0xaB'",
  'e.k EXISTS',
  `e.k = '${'v'.repeat(600)}w'`,
  "e.k = 'a' AND e.k = 'b' AND block.height > 17",
  "e.k CONTAINS 'b' AND block.height <= 20",
  'block.height = 31',
  'block.height < 40',
];

/** Block events of heights from 1 on: of each event the values of its attribute `k`. */
const chains = fc
  .array(fc.array(fc.array(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 3 }), { maxLength: 3 }), {
    minLength: 30,
    maxLength: 50,
  })
  .map((blocks) =>
    blocks.map((events, at): BlockEvents => ({
      height: toHeight(BigInt(at + 1)),
      txs: [],
      events: events.map((values) =>
        create(EventSchema, { type: 'e', attributes: values.map((value) => ({ key: 'k', value, index: true })) }),
      ),
      logs: [],
    })),
  );

async function found(store: MemoryStore, text: string, head: Height, blocks: readonly BlockEvents[]) {
  const parsed = parseQuery(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return searchPostings('block', parsed.query.conditions, {
    store,
    head,
    first: FIRST,
    eventsAt: (height) => blocks[Number(height) - 1],
    limits: { searchRows: 100_000, rangeRows: 7 },
  });
}

/** A store with the rows of the blocks, written in batches that end behind these heights. */
async function indexed(blocks: readonly BlockEvents[], ends: readonly number[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  let from = 0;
  for (const end of [...ends, blocks.length].toSorted((a, b) => a - b)) {
    const batch = new IndexBatch();
    for (const block of blocks.slice(from, end)) batch.add(block);
    await store.commit(batch.rows());
    from = Math.max(from, end);
  }
  return store;
}

const contents = async (store: MemoryStore): Promise<string[]> =>
  (await store.range({ start: Uint8Array.of(0), end: Uint8Array.of(255), limit: 1_000_000 })).map(
    ({ key, value }) => `${Buffer.from(key).toString('hex')}=${Buffer.from(value).toString('hex')}`,
  );

describe('rows that blocks of a window share', () => {
  it('find what the postings of the same blocks match in memory', async () => {
    await fc.assert(
      fc.asyncProperty(
        chains,
        fc.array(fc.nat({ max: 50 }), { maxLength: 2 }),
        fc.constantFrom(...QUERIES),
        async (blocks, ends, text) => {
          const head = toHeight(BigInt(blocks.length));
          const store = await indexed(blocks, ends);
          expect(indexedThrough(store)).toBe(head);
          const lost = blocks.flatMap((block) => indexKeys(store, block)).filter((key) => store.get(key) === undefined);
          expect(lost).toEqual([]);
          const inMemory = await found(new MemoryStore(), text, head, blocks);
          expect(inMemory.ok).toBe(true);
          expect(await found(store, text, head, [])).toEqual(inMemory);
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });

  it('are those of each block alone again when a later block of the window goes', async () => {
    await fc.assert(
      fc.asyncProperty(chains, fc.integer({ min: 0, max: 50 }), async (blocks, kept) => {
        const store = await indexed(blocks, []);
        const to = toHeight(BigInt(Math.min(kept, blocks.length)));
        for (const block of blocks.slice(Number(to)).toReversed()) await store.commit(forgetIndexRows(block));
        for (const height of sharingHeights(to)) {
          const block = blocks[Number(height) - 1];
          if (block !== undefined) await store.commit(unsharedRows(block));
        }
        await store.commit([revertedCursor(to, FIRST)]);
        const expected = new MemoryStore();
        const whole = Math.max(0, Number(to) - sharingHeights(to).length);
        const batch = new IndexBatch();
        for (const block of blocks.slice(0, whole)) batch.add(block);
        await expected.commit(batch.rows());
        for (const block of blocks.slice(whole, Number(to))) await expected.commit(indexRows(block));
        await expected.commit([revertedCursor(to, FIRST)]);
        expect(await contents(store)).toEqual(await contents(expected));
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  it('make a block whose events are those of its neighbours cost no row of its own', () => {
    const block = (height: bigint, amount: string): BlockEvents => ({
      height: toHeight(height),
      txs: [],
      events: [
        create(EventSchema, {
          type: 'transfer',
          attributes: [
            { key: 'sender', value: 'module', index: true },
            { key: 'amount', value: amount, index: true },
          ],
        }),
      ],
      logs: [],
    });
    const rowsOf = (amountOf: (height: bigint) => string): number => {
      const batch = new IndexBatch();
      for (let height = 16n; height < 32n; height += 1n) batch.add(block(height, amountOf(height)));
      return batch.rows().length;
    };
    // The heights, the sender, the amount and the cursor; then sixteen amounts.
    expect(rowsOf(() => '5')).toBe(4);
    expect(rowsOf((height) => `${height}`)).toBe(3 + 16);
  });
});
