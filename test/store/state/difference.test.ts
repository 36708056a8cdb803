/** Differences of the state between two heights: applied to one height they give the other, page by page. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toOrderedString } from '../../../src/core/bytes/key-order.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight } from '../../../src/core/primitives.js';
import { readDifferences, type Difference, type DifferenceRange } from '../../../src/store/state/difference.js';
import { createStateReader, HeightPruned, stateRows } from '../../../src/store/state/latest.js';
import { pruneState } from '../../../src/store/state/prune.js';
import { MemoryStore } from '../../support/memory-store.js';
import { propertyRuns } from '../../support/property-runs.js';

const STORES = ['a', 'bank'];
const KEYS = [0, 1, 2, 3, 4].map((byte) => Uint8Array.of(byte));
const write = fc.record({
  store: fc.constantFrom(...STORES),
  key: fc.constantFrom(...KEYS),
  value: fc.option(fc.uint8Array({ minLength: 1, maxLength: 2 }), { nil: undefined }),
});
/** Number of blocks since the previous one; distant blocks are too many for a search by blocks. */
const gap = fc.constantFrom(1n, 1n, 2n, BigInt(FIXED_LIMITS.diffBlocks) + 1n);
const block = fc.record({
  gap,
  writes: fc.uniqueArray(write, { maxLength: 5, selector: ({ store, key }) => `${store}${key.join()}` }),
});

type State = ReadonlyMap<string, string>;

function stateAt(store: MemoryStore, height: bigint): State {
  const reader = createStateReader(store, toHeight(height));
  const state = new Map<string, string>();
  for (const name of STORES)
    for (const key of KEYS) {
      const value = reader.get(name, key);
      if (value !== undefined) state.set(`${name}/${toOrderedString(key)}`, value.join());
    }
  return state;
}

const timers = { yield: () => Promise.resolve() };

/** All differences, read in pages of `most`. */
async function pagesOf(
  store: MemoryStore,
  range: Omit<DifferenceRange, 'after' | 'store'>,
  most: number,
): Promise<readonly Difference[]> {
  const all: Difference[] = [];
  let after: Uint8Array | undefined;
  do {
    const page: Difference[] = [];
    const { next } = await readDifferences(store, { ...range, store: undefined, after }, timers, (one) => {
      page.push(one);
      return page.length < most;
    });
    expect(page.length).toBeLessThanOrEqual(most);
    all.push(...page);
    after = next;
  } while (after !== undefined);
  return all;
}

it('the difference between two heights turns the state of either into the other', async () => {
  let byRows = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(block, { minLength: 1, maxLength: 8 }),
      fc.nat(8),
      fc.nat(8),
      fc.integer({ min: 1, max: 4 }),
      async (blocks, first, second, most) => {
        const store = new MemoryStore();
        const heights = [0n];
        for (const { gap: blocksBefore, writes } of blocks) {
          const height = (heights.at(-1) ?? 0n) + blocksBefore;
          heights.push(height);
          await store.commit(stateRows(toHeight(height), writes, (key) => store.get(key)));
        }
        const [one = 0n, other = 0n] = [first, second].map((index) => heights[index % heights.length]);
        const [lower, upper] = one < other ? [one, other] : [other, one];
        if (upper - lower > FIXED_LIMITS.diffBlocks) byRows += 1;
        const differences = await pagesOf(store, { lower: toHeight(lower), upper: toHeight(upper) }, most);
        const [up, down] = [new Map(stateAt(store, lower)), new Map(stateAt(store, upper))];
        for (const { store: name, key, lower: before, upper: after } of differences) {
          const row = `${name}/${toOrderedString(key)}`;
          for (const [state, value] of [
            [up, after],
            [down, before],
          ] as const)
            if (value === undefined) state.delete(row);
            else state.set(row, value.join());
        }
        expect(up).toEqual(stateAt(store, upper));
        expect(down).toEqual(stateAt(store, lower));
        const places = differences.map(({ store: name, key }) => `${name}/${toOrderedString(key)}`);
        expect(places).toEqual([...new Set(places)].sort());
      },
    ),
    { numRuns: propertyRuns(200) },
  );
  expect(byRows).toBeGreaterThan(0);
});

it('the difference counts written keys, and reads one store only on request', async () => {
  const store = new MemoryStore();
  const put = (height: bigint, names: readonly string[]) =>
    store.commit(
      stateRows(
        toHeight(height),
        names.map((name) => ({ store: name, key: Uint8Array.of(1), value: Uint8Array.of(Number(height)) })),
        (key) => store.get(key),
      ),
    );
  await put(1n, ['a', 'bank']);
  await put(2n, ['a']);
  const found: Difference[] = [];
  const range = { lower: toHeight(0n), upper: toHeight(2n), store: 'bank', after: undefined };
  const page = await readDifferences(store, range, timers, (one) => {
    found.push(one);
    return true;
  });
  expect(found.map(({ store: name }) => name)).toEqual(['bank']);
  expect(page).toEqual({ next: undefined, written: new Map([['bank', 1]]) });
});

it('the difference of a pruned height is refused', async () => {
  const store = new MemoryStore();
  for (let height = 1n; height <= 5n; height += 1n)
    await store.commit(
      stateRows(
        toHeight(height),
        [{ store: 'a', key: Uint8Array.of(1), value: Uint8Array.of(Number(height)) }],
        (key) => store.get(key),
      ),
    );
  await pruneState(store, { first: toHeight(1n), floor: toHeight(3n), rows: 100 });
  const range = { upper: toHeight(5n), store: undefined, after: undefined };
  await expect(readDifferences(store, { ...range, lower: toHeight(2n) }, timers, () => true)).rejects.toThrow(
    HeightPruned,
  );
  await readDifferences(store, { ...range, lower: toHeight(3n) }, timers, () => true);
});

it('a page compares at most diffRows rows where the heights are far apart', async () => {
  const { diffRows, diffBlocks, diffStep } = FIXED_LIMITS;
  const rows = diffRows + 2 * diffStep;
  const store = new MemoryStore();
  const row = (index: number): Uint8Array => {
    const key = new Uint8Array(4);
    new DataView(key.buffer).setUint32(0, index);
    return key;
  };
  const writes = Array.from({ length: rows }, (_, index) => ({ store: 'a', key: row(index), value: Uint8Array.of(1) }));
  await store.commit(stateRows(toHeight(1n), writes, (key) => store.get(key)));
  const range = { lower: toHeight(1n), upper: toHeight(BigInt(diffBlocks) + 2n), store: undefined };
  const take = (): boolean => true;
  const first = await readDifferences(store, { ...range, after: undefined }, timers, take);
  expect(first.next).toBeDefined();
  const rest = await readDifferences(store, { ...range, after: first.next }, timers, take);
  expect(rest.next).toBeUndefined();
});
