/**
 * The blocks that touched an account, and the first block after which its state passes a test, also when early states
 * are pruned.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksFrom, firstHeight } from '../../../src/adapters/eth-rpc/account-history.js';
import { type Height, toHeight } from '../../../src/core/primitives.js';

/** The search over a chain with this head whose states begin with `earliest`; it cannot see lower states. */
function search(head: bigint, earliest: bigint, passesFrom: bigint | undefined, firstBlock = 1n) {
  const asked: Height[] = [];
  const api = {
    blockNumber: () => toHeight(head),
    firstBlock: () => toHeight(firstBlock),
    earliestState: () => toHeight(earliest),
  };
  const found = firstHeight(api, (height) => {
    asked.push(height);
    expect(height).toBeGreaterThanOrEqual(earliest);
    return { ok: true, value: passesFrom !== undefined && height >= passesFrom };
  });
  return { found, asked };
}

test('the first block whose state passes is found by binary search', () => {
  fc.assert(
    fc.property(fc.nat(5_000), fc.nat(5_000), (one, other) => {
      const [first, head] = one < other ? [one, other] : [other, one];
      const { found, asked } = search(BigInt(head), 0n, BigInt(first));
      expect(found).toEqual({ ok: true, value: BigInt(first) });
      expect(asked.length).toBeLessThan(16);
    }),
  );
});

test('no block is found when the head does not pass', () => {
  expect(search(9n, 3n, undefined).found).toEqual({ ok: true, value: undefined });
});

test('a block above the oldest kept state is found, and one that may be below is refused', () => {
  expect(search(9n, 3n, 4n).found).toEqual({ ok: true, value: 4n });
  for (const passesFrom of [1n, 3n])
    expect(search(9n, 3n, passesFrom).found).toEqual({
      ok: false,
      error: {
        code: -32000,
        message: 'required historical state unavailable: that of block 2, the oldest is that of 3',
      },
    });
});

test('the genesis state is the first state, also on a chain with a later initial height', () => {
  expect(search(9n, 0n, 0n).found).toEqual({ ok: true, value: 0n });
  expect(search(109n, 99n, 99n, 100n).found).toEqual({ ok: true, value: 99n });
  expect(search(109n, 100n, 100n, 100n).found).toMatchObject({ ok: false });
});

test('blocks of an account are returned in order, and the first is found with few reads beyond it', async () => {
  const HELD = 5;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 20_000 }), { maxLength: 300 }),
      fc.nat(300),
      fc.nat(21_000),
      fc.constantFrom('before', 'after'),
      async (some, row, from, direction) => {
        const [lowest, highest] = [3n, 19_990n];
        // A run of adjacent blocks, of which any short range has more than are held.
        const all = new Set([...some, ...Array.from({ length: row }, (_, index) => 7_000 + index)].map(BigInt));
        let read = 0n;
        const api: Parameters<typeof blocksFrom>[0] = {
          earliestBlock: () => toHeight(lowest),
          blockNumber: () => toHeight(highest),
          blocksOf(_, low, high) {
            expect([low >= lowest, high <= highest, low <= high]).toEqual([true, true, true]);
            const inside = [...all].filter((height) => height >= low && height <= high);
            if (inside.length > HELD)
              return Promise.resolve({
                ok: false,
                error: { code: 'limit-exceeded', limit: 'searchRows', maximum: HELD },
              });
            read += high - low + 1n;
            const heights = inside.map(toHeight).toSorted((left, right) => Number(left - right));
            return Promise.resolve({ ok: true, value: heights });
          },
        };
        const found: bigint[] = [];
        for await (const height of blocksFrom(api, new Uint8Array(20), BigInt(from), direction))
          if (height.ok) found.push(height.value);
        const kept = [...all].filter((height) => height >= lowest && height <= highest);
        const wanted = kept.filter((height) => (direction === 'before' ? height <= from : height >= from));
        const ascending = wanted.toSorted((left, right) => Number(left - right));
        expect(found).toEqual(direction === 'before' ? ascending.toReversed() : ascending);
        read = 0n;
        await blocksFrom(api, new Uint8Array(20), BigInt(from), direction).next();
        if (wanted.length > 0) {
          const nearest =
            direction === 'before' ? BigInt(from) - (ascending.at(-1) ?? 0n) : (ascending[0] ?? 0n) - BigInt(from);
          expect(read).toBeLessThan(5n * (nearest + 1_024n));
        }
      },
    ),
    { numRuns: 60 },
  );
});
