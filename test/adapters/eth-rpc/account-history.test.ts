/** The first height at which the state of an account passes a test, also where early states are pruned. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstHeight } from '../../../src/adapters/eth-rpc/account-history.js';
import { type Height, toHeight } from '../../../src/core/primitives.js';

/** The search over a chain of this head whose states begin with `earliest`; it sees no state below. */
function search(head: bigint, earliest: bigint, passesFrom: bigint | undefined) {
  const asked: Height[] = [];
  const api = { blockNumber: () => toHeight(head), earliestState: () => toHeight(earliest) };
  const found = firstHeight(api, (height) => {
    asked.push(height);
    expect(height).toBeGreaterThanOrEqual(earliest);
    return { ok: true, value: passesFrom !== undefined && height >= passesFrom };
  });
  return { found, asked };
}

test('it is found by halves', () => {
  fc.assert(
    fc.property(fc.nat(5_000), fc.nat(5_000), (one, other) => {
      const [first, head] = one < other ? [one, other] : [other, one];
      const { found, asked } = search(BigInt(head), 0n, BigInt(first));
      expect(found).toEqual({ ok: true, value: BigInt(first) });
      expect(asked.length).toBeLessThan(16);
    }),
  );
});

test('none is found where the head does not pass', () => {
  expect(search(9n, 3n, undefined).found).toEqual({ ok: true, value: undefined });
});

test('above the oldest state that is kept it is told; one that may lie below is refused', () => {
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
