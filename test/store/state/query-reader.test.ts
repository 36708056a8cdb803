import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHeight } from '../../../src/core/primitives.js';
import type { StateReader } from '../../../src/core/state/state.js';
import { MemoryStore } from '../../support/memory-store.js';
import { stateRows } from '../../../src/store/state/latest.js';
import { readStateAt } from '../../../src/store/state/query-reader.js';
import { gateRanges } from '../../../src/store/state/range-gate.js';

const LIMITS = { rangeRows: 50, searchRows: 1_000 };
const HEIGHT = toHeight(1n);
const key = (index: number): Uint8Array => Uint8Array.of(index >> 8, index & 0xff);

async function storeOf(count: number): Promise<MemoryStore> {
  const store = new MemoryStore();
  const writes = Array.from({ length: count }, (_, index) => ({ store: 'bank', key: key(index), value: key(index) }));
  await store.commit(stateRows(HEIGHT, writes, (row) => store.get(row)));
  return store;
}

/** A query handler with pagination: skips `offset`, takes `limit`, in either direction. */
const page =
  (offset: number, limit: number, reverse: boolean) =>
  (state: StateReader): number[] => {
    const taken: number[] = [];
    let skipped = 0;
    for (const entry of state.range('bank', { reverse })) {
      if (skipped++ < offset) continue;
      if (taken.length === limit) break;
      taken.push((entry.key[0] ?? 0) * 256 + (entry.key[1] ?? 0));
    }
    return taken;
  };

describe('synchronous queries over asynchronous ranges', () => {
  it('return the same results as over a map', async () => {
    const store = await storeOf(400);
    const all = Array.from({ length: 400 }, (_, index) => index);
    await fc.assert(
      fc.asyncProperty(fc.nat(420), fc.nat(420), fc.boolean(), async (offset, limit, reverse) => {
        const expected = (reverse ? [...all].reverse() : all).slice(offset, offset + limit);
        expect(await readStateAt(store, HEIGHT, page(offset, limit, reverse), LIMITS)).toEqual({
          ok: true,
          value: expected,
        });
      }),
      { numRuns: 50 },
    );
  });

  it('fetch no page after the one where they stop', async () => {
    const store = await storeOf(400);
    let rows = 0;
    const counting = {
      get: (row: Uint8Array) => store.get(row),
      range: (options: Parameters<MemoryStore['range']>[0]) => {
        rows += options.limit;
        return store.range(options);
      },
    };
    await readStateAt(counting, HEIGHT, page(0, 10, false), LIMITS);
    expect(rows).toBe(64);
  });

  it('run again although the code in between swallowed the miss', async () => {
    const store = await storeOf(100);
    const swallowing = (state: StateReader): string => {
      try {
        return `${[...state.range('bank', {})].length} entries`;
      } catch {
        return 'panic';
      }
    };
    expect(await readStateAt(store, HEIGHT, swallowing, LIMITS)).toEqual({ ok: true, value: '100 entries' });
  });

  it('fail with limit-exceeded when they read more rows than allowed', async () => {
    const store = await storeOf(1_200);
    expect(await readStateAt(store, HEIGHT, page(1_190, 1, false), LIMITS)).toEqual({
      ok: false,
      error: { code: 'limit-exceeded', limit: 'searchRows', maximum: 1_000 },
    });
  });

  it('reject with the error that the query throws', async () => {
    const store = await storeOf(1);
    const failing = (): never => {
      throw new TypeError('handler bug');
    };
    await expect(readStateAt(store, HEIGHT, failing, LIMITS)).rejects.toThrow('handler bug');
  });
});

describe('range gate', () => {
  it('runs two ranges at once, queues others and refuses those beyond the queue limit', async () => {
    const release: (() => void)[] = [];
    const inner = new MemoryStore();
    const slow = {
      get: (row: Uint8Array) => inner.get(row),
      commit: inner.commit.bind(inner),
      close: () => inner.close(),
      range: async () => {
        await new Promise<void>((resolve) => {
          release.push(resolve);
        });
        return [];
      },
    };
    const gated = gateRanges(slow, { concurrent: 2, waiting: 1 });
    const own = { start: key(0), end: key(9), limit: 1 };
    const options = { ...own, mayBeRefused: true } as const;
    const first = gated.range(options);
    const second = gated.range(options);
    const third = gated.range(options);
    await expect(gated.range(options)).rejects.toMatchObject({ name: 'RangesBusy' });
    // Ranges of the node itself are not refused, and go first, in their own order.
    const ofNode = gated.range(own);
    const ofNodeToo = gated.range(own);
    expect(release).toHaveLength(2);
    release[0]?.();
    await first;
    await Promise.resolve();
    expect(release).toHaveLength(3);
    release[2]?.();
    await ofNode;
    await Promise.resolve();
    expect(release).toHaveLength(4);
    release[3]?.();
    await ofNodeToo;
    await Promise.resolve();
    expect(release).toHaveLength(5);
    release[1]?.();
    release[4]?.();
    await Promise.all([second, third]);
  });
});
