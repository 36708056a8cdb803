import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight } from '../../../src/core/primitives.js';
import { MemoryStore } from '../../support/memory-store.js';
import { stateRows } from '../../../src/store/state/latest.js';
import { RecentRows } from '../../../src/store/state/recent-rows.js';
import { latestKey } from '../../../src/store/state/tables.js';

const write = fc.record({
  store: fc.constantFrom('a', 'b'),
  key: fc.constantFrom(Uint8Array.of(), Uint8Array.of(1), Uint8Array.of(1, 2), Uint8Array.of(255)),
  value: fc.option(
    fc.oneof(
      fc.uint8Array({ maxLength: 2 }),
      fc.constant(new Uint8Array(FIXED_LIMITS.recentRowBytes)),
      fc.constant(new Uint8Array(FIXED_LIMITS.recentRowBytes - 17)),
    ),
    { nil: undefined },
  ),
});
const block = fc.uniqueArray(write, { maxLength: 6, selector: ({ store, key }) => `${store}/${key.join()}` });

describe('cache of rows of the last blocks', () => {
  it('gives the same rows and undo pages as the store', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 10 }), async (blocks) => {
        const store = new MemoryStore();
        const recent = new RecentRows(store);
        for (const [index, writes] of blocks.entries()) {
          const height = toHeight(BigInt(index + 1));
          const rows = stateRows(height, writes, (key) => recent.get(key));
          expect(rows).toEqual(stateRows(height, writes, (key) => store.get(key)));
          recent.written(rows);
          await store.commit(rows);
        }
      }),
    );
  });

  it('reads from the store when rows were evicted or never written', async () => {
    const store = new MemoryStore();
    const recent = new RecentRows(store);
    const [old, young] = [latestKey('a', Uint8Array.of(1)), latestKey('a', Uint8Array.of(2))];
    await store.commit([{ type: 'put', key: old, value: Uint8Array.of(9) }]);
    expect(recent.get(old)).toEqual(Uint8Array.of(9));
    recent.written([{ type: 'put', key: young, value: Uint8Array.of(7) }]);
    expect(recent.get(young)).toEqual(Uint8Array.of(7));
    recent.forget();
    expect(recent.get(young)).toBeUndefined();
  });

  it('holds no more rows than its limit', () => {
    const recent = new RecentRows(new MemoryStore());
    const keys = Array.from({ length: FIXED_LIMITS.recentRows + 1 }, (_, index) =>
      latestKey('a', Uint8Array.of(index >> 8, index & 255)),
    );
    recent.written(keys.map((key) => ({ type: 'put', key, value: key })));
    expect(keys.filter((key) => recent.get(key) !== undefined)).toHaveLength(1);
  });
});
