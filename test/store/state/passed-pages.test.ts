/** Pages over a database, where skipped entries are not kept, are equal to pages over a map. */
import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHeight } from '../../../src/core/primitives.js';
import { PageRequestSchema } from '../../../src/core/proto/cosmos/base/query/v1beta1/pagination_pb.js';
import { paginate, paginateCollection } from '../../../src/core/sdk/module/pagination.js';
import { CacheStore } from '../../../src/core/state/overlay.js';
import type { StateEntry, StateReader } from '../../../src/core/state/state.js';
import { stateRows } from '../../../src/store/state/latest.js';
import { readStateAt } from '../../../src/store/state/query-reader.js';
import { stateOf } from '../../core/app/support.js';
import { MemoryStore } from '../../support/memory-store.js';
import { propertyRuns } from '../../support/property-runs.js';

const HEIGHT = toHeight(1n);
const PREFIX = Uint8Array.of(7);
const IN_TIME = { rangeRows: 7, searchRows: 500, isLate: () => false };

const rowOf = (number: number) => ({
  store: 'bank',
  key: Uint8Array.of(7, number >> 8, number & 0xff),
  value: Uint8Array.of(number & 0xff),
});
const numberOf = ({ key }: StateEntry): number => (key[1] ?? 0) * 256 + (key[2] ?? 0);

async function storeOf(numbers: readonly number[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  await store.commit(stateRows(HEIGHT, numbers.map(rowOf), (row) => store.get(row)));
  return store;
}

type Request = Parameters<typeof create<typeof PageRequestSchema>>[1];

const page =
  (
    cut: typeof paginate,
    request: Request,
    decode: (entry: StateEntry, state: StateReader) => number | undefined,
    isWhole?: true,
  ) =>
  (state: StateReader) =>
    cut(
      { context: { store: new CacheStore(state) }, store: 'bank', prefix: PREFIX, ...(isWhole && { isWhole }) },
      create(PageRequestSchema, request),
      (entry) => decode(entry, state),
    );

const requests = fc.record({
  offset: fc.bigInt(0n, 70n),
  limit: fc.bigInt(0n, 70n),
  countTotal: fc.boolean(),
  reverse: fc.boolean(),
});

describe('pagination over a database', () => {
  it('returns the same pages as over a map, whatever entries are filtered out', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(paginate, paginateCollection),
        fc.uniqueArray(fc.nat(300), { maxLength: 60 }),
        requests,
        fc.integer({ min: 1, max: 3 }),
        async (cut, numbers, request, every) => {
          const run = page(
            cut,
            request,
            (entry) => (numberOf(entry) % every === 0 ? numberOf(entry) : undefined),
            every === 1 ? true : undefined,
          );
          expect(await readStateAt(await storeOf(numbers), HEIGHT, run, IN_TIME)).toEqual({
            ok: true,
            value: run(stateOf(numbers.map(rowOf))),
          });
        },
      ),
      { numRuns: propertyRuns(150) },
    );
  });

  it('counts more entries than a query may hold, without reading entries of a gapless list', async () => {
    const store = await storeOf(Array.from({ length: 3_000 }, (_, index) => index));
    for (const cut of [paginate, paginateCollection]) {
      const seen = new Set<number>();
      const run = page(
        cut,
        { offset: 2_000n, limit: 2n, countTotal: true },
        (entry) => {
          seen.add(numberOf(entry));
          return numberOf(entry);
        },
        true,
      );
      expect(await readStateAt(store, HEIGHT, run, IN_TIME)).toMatchObject({
        ok: true,
        value: { rows: [2_000, 2_001], page: { total: 3_000n, nextKey: Uint8Array.of(7, 210) } },
      });
      expect(seen.size).toBeLessThan(5);
      const { isLate: _, ...bounded } = IN_TIME;
      expect(await readStateAt(store, HEIGHT, run, bounded)).toEqual({
        ok: false,
        error: { code: 'limit-exceeded', limit: 'searchRows', maximum: 500 },
      });
      expect(await readStateAt(store, HEIGHT, run, { ...IN_TIME, isLate: () => true })).toEqual({
        ok: false,
        error: { code: 'timeout', milliseconds: 0 },
      });
    }
  });

  it('lets the entry filter read ranges and refuse an entry, as over a map', async () => {
    const store = await storeOf(Array.from({ length: 40 }, (_, index) => index));
    const total = page(paginate, { limit: 1n, countTotal: true }, (entry, state) => {
      const [next] = state.range('bank', { start: entry.key });
      return next && numberOf(next);
    });
    expect(await readStateAt(store, HEIGHT, total, { ...IN_TIME, searchRows: 10_000 })).toMatchObject({
      ok: true,
      value: { rows: [0], page: { total: 40n } },
    });
    const refusing = page(paginate, { limit: 1n, countTotal: true }, (entry) => {
      if (numberOf(entry) === 39) throw new TypeError('bad entry');
      return 1;
    });
    await expect(readStateAt(store, HEIGHT, refusing, IN_TIME)).rejects.toThrow('bad entry');
  });
});
