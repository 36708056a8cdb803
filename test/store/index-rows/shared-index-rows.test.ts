import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight, type Height } from '../../../src/core/primitives.js';
import { EventSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { parseQuery } from '../../../src/core/query/index.js';
import { indexedThrough, indexKeys } from '../../../src/store/index-rows/index-rows.js';
import { indexFrom } from '../../support/rebuild-indexes.js';
import { revertIndex, type IndexRevertLimits } from '../../../src/store/index-rows/index-revert.js';
import { CURSOR_KEY } from '../../../src/store/index-rows/posting-key.js';
import { postingRows } from '../../../src/store/index-rows/posting-rows.js';
import type { BlockEvents } from '../../../src/store/index-rows/posting.js';
import { searchPostings } from '../../../src/store/index-rows/search.js';
import { MemoryStore } from '../../support/memory-store.js';
import { be64 } from '../../../src/core/bytes/big-endian.js';
import { propertyRuns } from '../../support/property-runs.js';
import { WHOLE } from '../../support/whole-search.js';

const VALUES = ['a', 'b', '0xAB', '0xab', '', 'v'.repeat(600), `${'v'.repeat(600)}w`];
const QUERIES = [
  "e.k = 'a'",
  "e.k = '0xaB'",
  'e.k EXISTS',
  `e.k = '${'v'.repeat(600)}w'`,
  "e.k = 'a' AND e.k = 'b' AND block.height > 17",
  "e.k CONTAINS 'b' AND block.height <= 40",
  "e.k = 'a' AND block.height = 33",
  'block.height = 31',
  'block.height < 40',
];

interface Chain {
  readonly first: Height;
  readonly blocks: readonly BlockEvents[];
}

/** Chains over several windows that begin at any height: for each block event the values of its attribute `k`. */
const chains = fc
  .tuple(
    fc.bigInt({ min: 1n, max: 40n }),
    fc.array(fc.array(fc.array(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 3 }), { maxLength: 3 }), {
      minLength: 20,
      maxLength: 80,
    }),
  )
  .map(([first, blocks]): Chain => ({
    first: toHeight(first),
    blocks: blocks.map((events, at): BlockEvents => ({
      height: toHeight(first + BigInt(at)),
      txs: [],
      events: events.map((values) =>
        create(EventSchema, { type: 'e', attributes: values.map((value) => ({ key: 'k', value, index: true })) }),
      ),
      logs: [],
    })),
  }));

/** Few rows in a batch, and few or many blocks after which all rows are deleted. */
const smallLimits = fc.record({
  indexRowsPerTurn: fc.integer({ min: 1, max: 60 }),
  indexRevertBlocks: fc.constantFrom(0n, 10n, 1_000n),
});

const endOf = ({ first, blocks }: Chain): Height => toHeight(first + BigInt(blocks.length) - 1n);

async function found(store: MemoryStore, text: string, { first, blocks }: Chain, head: Height) {
  const parsed = parseQuery(text);
  if (!parsed.ok) throw new Error(parsed.message);
  const result = await searchPostings('block', parsed.query.conditions, WHOLE, {
    store,
    head,
    first,
    eventsAt: (height) => blocks.find((block) => block.height === height),
    limits: { searchRows: 100_000, rangeRows: 7 },
    pause: () => Promise.resolve(),
  });
  if (!result.ok) return result;
  expect(result.value.items).toHaveLength(result.value.total);
  return { ok: true as const, value: result.value.items };
}

/** A store with the rows of the first `count` blocks. */
async function indexed({ first, blocks }: Chain, count = blocks.length): Promise<MemoryStore> {
  const store = new MemoryStore();
  const window = indexFrom(first);
  for (const block of blocks.slice(0, count)) await store.commit(window.add(block));
  return store;
}

/** Rows as written by builds before windows: each block has its own. */
async function indexedAlone({ blocks }: Chain, count: number): Promise<MemoryStore> {
  const store = new MemoryStore();
  for (const block of blocks.slice(0, count)) {
    await store.commit(postingRows('block', block).map(({ key, value }) => ({ type: 'put', key, value })));
    await store.commit([{ type: 'put', key: CURSOR_KEY, value: be64(block.height) }]);
  }
  return store;
}

const contents = async (store: MemoryStore): Promise<string[]> =>
  (await store.range({ start: Uint8Array.of(0), end: Uint8Array.of(255), limit: 1_000_000 })).map(
    ({ key, value }) => `${Buffer.from(key).toString('hex')}=${Buffer.from(value).toString('hex')}`,
  );

const lostKeys = (store: MemoryStore, { blocks }: Chain): readonly Uint8Array[] => {
  const cursor = indexedThrough(store);
  if (cursor === undefined) return [];
  return blocks
    .filter(({ height }) => height <= cursor)
    .flatMap((block) => indexKeys(store, block, cursor))
    .filter((key) => store.get(key) === undefined);
};

/** Reverts the blocks above a height, and indexes the remaining ones again. */
async function goBack(
  store: MemoryStore,
  { first, blocks }: Chain,
  to: Height,
  limits?: IndexRevertLimits,
): Promise<void> {
  const before = indexedThrough(store) ?? first - 1n;
  const events = (height: Height): BlockEvents | undefined => blocks[Number(height - first)];
  const bounded = {
    get: (key: Uint8Array) => store.get(key),
    range: (options: Parameters<MemoryStore['range']>[0]) => store.range(options),
    commit: (operations: Parameters<MemoryStore['commit']>[0]) => {
      // The cursor included.
      expect(operations.length).toBeLessThanOrEqual((limits ?? FIXED_LIMITS).indexRowsPerTurn + 1);
      return store.commit(operations);
    },
  };
  await revertIndex({ store: bounded, first, to, events, pause: () => Promise.resolve(), ...(limits && { limits }) });
  const through = indexedThrough(store) ?? first - 1n;
  const window = indexFrom(first);
  window.enter(toHeight(through + 1n), events);
  const end = to < before ? to : before;
  for (const block of blocks.slice(Number(through + 1n - first), Number(end + 1n - first)))
    await store.commit(window.add(block));
}

describe('index rows that blocks of a window share', () => {
  it('give the same matches as the postings of the same blocks in memory', async () => {
    await fc.assert(
      fc.asyncProperty(chains, fc.nat(), fc.nat(), fc.constantFrom(...QUERIES), async (chain, count, below, text) => {
        const head = toHeight(endOf(chain) - BigInt(below % 5));
        const store = await indexed(chain, count % (chain.blocks.length + 1));
        expect(lostKeys(store, chain)).toEqual([]);
        const inMemory = await found(new MemoryStore(), text, chain, head);
        expect(inMemory.ok).toBe(true);
        expect(await found(store, text, chain, head)).toEqual(inMemory);
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it('coexist with the rows for single blocks of an earlier build', async () => {
    await fc.assert(
      fc.asyncProperty(chains, fc.nat(), fc.constantFrom(...QUERIES), async (chain, alone, text) => {
        const { first, blocks } = chain;
        const head = endOf(chain);
        const store = await indexedAlone(chain, alone % (blocks.length + 1));
        const next = (indexedThrough(store) ?? first - 1n) + 1n;
        const window = indexFrom(first);
        window.enter(toHeight(next), (height) => blocks[Number(height - first)]);
        for (const block of blocks.slice(Number(next - first))) await store.commit(window.add(block));
        expect(lostKeys(store, chain)).toEqual([]);
        expect(await found(store, text, chain, head)).toEqual(await found(new MemoryStore(), text, chain, head));
        await goBack(store, chain, toHeight(first - 1n));
        expect(await contents(store)).toEqual([]);
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  it('are those of the remaining blocks after a revert, however far the index had come', async () => {
    await fc.assert(
      fc.asyncProperty(chains, fc.nat(), fc.nat(), smallLimits, async (chain, count, kept, limits) => {
        const { first, blocks } = chain;
        const store = await indexed(chain, count % (blocks.length + 1));
        const cursor = indexedThrough(store) ?? first - 1n;
        const to = toHeight(first - 1n + BigInt(kept % (blocks.length + 1)));
        await goBack(store, chain, to, limits);
        const left = to < cursor ? to : cursor;
        expect(await contents(store)).toEqual(await contents(await indexed(chain, Number(left - first + 1n))));
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it('are complete again after a revert was killed between two batches, for blocks that still exist', async () => {
    await fc.assert(
      fc.asyncProperty(chains, fc.nat(), fc.nat(4), smallLimits, async (chain, kept, batches, limits) => {
        const { first, blocks } = chain;
        const store = await indexed(chain);
        const to = toHeight(first - 1n + BigInt(kept % blocks.length));
        const events = (height: Height): BlockEvents | undefined => blocks[Number(height - first)];
        let written = 0;
        const killed = {
          get: (key: Uint8Array) => store.get(key),
          range: (options: Parameters<typeof store.range>[0]) => store.range(options),
          commit: async (rows: Parameters<typeof store.commit>[0]) => {
            if (written === batches) throw new Error('killed');
            written += 1;
            await store.commit(rows);
          },
        };
        const options = { store: killed, first, to, events, pause: () => Promise.resolve(), limits };
        await revertIndex(options).catch((error: unknown) => expect(String(error)).toBe('Error: killed'));
        const next = toHeight((indexedThrough(store) ?? first - 1n) + 1n);
        const window = indexFrom(first);
        window.enter(next, events);
        for (const block of blocks.slice(Number(next - first))) await store.commit(window.add(block));
        expect(await contents(store)).toEqual(await contents(await indexed(chain)));
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it('need no additional row for a block with the same events as its neighbours', () => {
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
      const window = indexFrom(toHeight(32n));
      const keys = new Set<string>();
      for (let height = 32n; height < 64n; height += 1n)
        for (const { key } of window.add(block(height, amountOf(height)))) keys.add(Buffer.from(key).toString('hex'));
      return keys.size;
    };
    // The heights, the sender, the amount and the cursor; then 32 amounts.
    expect(rowsOf(() => '5')).toBe(4);
    expect(rowsOf((height) => `${height}`)).toBe(3 + 32);
  });

  it('are not made for a value with more postings in the window than fit into a row', async () => {
    const alike = (height: bigint): BlockEvents => ({
      height: toHeight(height),
      txs: [],
      events: Array.from({ length: 9 }, () =>
        create(EventSchema, { type: 'e', attributes: [{ key: 'k', value: 'a', index: true }] }),
      ),
      logs: [],
    });
    const chain = { first: toHeight(32n), blocks: Array.from({ length: 32 }, (_, at) => alike(32n + BigInt(at))) };
    const store = await indexed(chain);
    // 32 heights share a row, the value has one row in each block; and the cursor.
    expect(await contents(store)).toHaveLength(1 + 32 + 1);
    expect(lostKeys(store, chain)).toEqual([]);
    expect(await found(store, "e.k = 'a'", chain, toHeight(63n))).toMatchObject({ ok: true, value: { length: 32 } });
  });
});
