import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectiveTip, isReplacement, type PoolTransaction } from '../../../src/core/mempool/pool-transaction.js';
import { type PoolLimits, TransactionPool } from '../../../src/core/mempool/transaction-pool.js';

const LIMITS: PoolLimits = {
  mempoolTxs: 100,
  mempoolBytes: 100_000,
  txBytes: 1_000,
  mempoolCache: 1_000,
  mempoolTxsPerAccount: 50,
  mempoolQueued: 20,
  mempoolQueuedPerAccount: 5,
};
const ALL = { bytes: 1_000_000, gas: -1n };

let count = 0;
function transaction(
  address: string,
  nonce: number,
  feeCap = 10,
  fields: Partial<PoolTransaction> = {},
): PoolTransaction {
  count += 1;
  return {
    hash: `H${count}`,
    tx: new Uint8Array([count >> 8, count & 0xff]),
    gasWanted: 10n,
    accounts: [{ address, nonce: BigInt(nonce) }],
    feeCap: BigInt(feeCap),
    tipCap: BigInt(feeCap),
    kind: 'ethereum',
    ...fields,
  };
}

function poolOf(...transactions: readonly PoolTransaction[]): TransactionPool {
  const pool = new TransactionPool(LIMITS);
  for (const one of transactions) pool.add(one, 'pending');
  return pool;
}

const reaped = (pool: TransactionPool, baseFee = 0n, maximum = ALL) => pool.reap(maximum, baseFee).map(({ tx }) => tx);

describe('transactions reaped for a block', () => {
  test('are ordered by effective tip, then by arrival', () => {
    const [cheap, first, second] = [transaction('a', 0, 5), transaction('b', 0, 7), transaction('c', 0, 7)];
    expect(reaped(poolOf(cheap, first, second))).toEqual([first.tx, second.tx, cheap.tx]);
  });

  test('are ordered by the tip that the base fee leaves below the fee cap', () => {
    const capped = transaction('a', 0, 10, { tipCap: 9n });
    const modest = transaction('b', 0, 100, { tipCap: 3n });
    expect(reaped(poolOf(capped, modest), 8n)).toEqual([modest.tx, capped.tx]);
    expect(reaped(poolOf(capped, modest), 0n)).toEqual([capped.tx, modest.tx]);
  });

  test('are development commands alone, if there are any that fit', () => {
    const free = { accounts: [], feeCap: (1n << 256n) - 1n, tipCap: (1n << 256n) - 1n, gasWanted: 0n };
    const [paid, first, second] = [
      transaction('a', 0, 5),
      transaction('', 0, 0, free),
      transaction('', 0, 0, { ...free, tx: new Uint8Array(3) }),
    ];
    const pool = poolOf(paid, first, second);
    expect(reaped(pool)).toEqual([first.tx, second.tx]);
    expect(reaped(pool, 0n, { bytes: 7, gas: -1n })).toEqual([first.tx]);
    expect(reaped(poolOf(paid, second), 0n, { bytes: 7, gas: -1n })).toEqual([paid.tx]);
  });

  test('keep the nonces of an account in order, whatever they pay', () => {
    const [zero, one, other] = [transaction('a', 0, 1), transaction('a', 1, 100), transaction('b', 0, 50)];
    expect(reaped(poolOf(one, zero, other))).toEqual([other.tx, zero.tx, one.tx]);
  });

  test('leave out those below the base fee, with later nonces of their accounts', () => {
    const [zero, one, other] = [transaction('a', 0, 1), transaction('a', 1, 100), transaction('b', 0, 5)];
    expect(reaped(poolOf(zero, one, other), 2n)).toEqual([other.tx]);
  });

  test('leave out queued ones', () => {
    const pool = poolOf(transaction('a', 0));
    pool.add(transaction('a', 2), 'queued');
    expect(reaped(pool)).toHaveLength(1);
  });

  test('leave out those that do not fit, with later nonces, and include other accounts', () => {
    const big = transaction('a', 0, 9, { gasWanted: 100n });
    const behind = transaction('a', 1, 9);
    const small = transaction('b', 0, 1);
    expect(reaped(poolOf(big, behind, small), 0n, { bytes: 1_000, gas: 50n })).toEqual([small.tx]);
  });

  test('keep the nonce order of every signer of a transaction with several signers', () => {
    const both = transaction('a', 0, 100, {
      accounts: [
        { address: 'a', nonce: 0n },
        { address: 'b', nonce: 1n },
      ],
    });
    const before = transaction('b', 0, 1);
    expect(reaped(poolOf(both, before))).toEqual([before.tx, both.tx]);
  });
});

test('the pool lists pending transactions in order of admission and of the nonces of each signer', () => {
  const [first, second, third] = [transaction('a', 0), transaction('b', 0), transaction('a', 1)];
  const pool = poolOf(first, second, third);
  expect(pool.entries('pending')).toEqual([first, second, third]);
  // A replacement is admitted after its successors.
  pool.remove(first.hash, 'invalid');
  const replacement = transaction('a', 0, 20);
  const both = transaction('c', 0, 10, {
    accounts: [
      { address: 'c', nonce: 0n },
      { address: 'a', nonce: 2n },
    ],
  });
  for (const one of [both, replacement]) pool.add(one, 'pending');
  pool.add(transaction('d', 1), 'queued');
  expect(pool.entries('pending')).toEqual([second, replacement, third, both]);
});

describe('replacement of a pending transaction', () => {
  test('requires fee cap and tip cap to be 10% higher', () => {
    const old = { feeCap: 100n, tipCap: 10n };
    expect(isReplacement(old, { feeCap: 110n, tipCap: 11n })).toBe(true);
    expect(isReplacement(old, { feeCap: 109n, tipCap: 11n })).toBe(false);
    expect(isReplacement(old, { feeCap: 110n, tipCap: 10n })).toBe(false);
    // 16.5 is rounded down.
    expect(isReplacement({ feeCap: 15n, tipCap: 15n }, { feeCap: 16n, tipCap: 16n })).toBe(true);
    expect(isReplacement({ feeCap: 1n, tipCap: 1n }, { feeCap: 1n, tipCap: 1n })).toBe(false);
  });

  test('displaces the old one, or fails as underpriced', () => {
    const old = transaction('a', 0, 100);
    const pool = poolOf(old);
    expect(pool.roomFor(transaction('a', 0, 110), 'pending', 0n)).toEqual({ ok: true, displaced: [old] });
    expect(pool.roomFor(transaction('a', 0, 109), 'pending', 0n)).toEqual({
      ok: false,
      error: { code: 'replacement-underpriced' },
    });
  });

  test('is refused when the pending one is an SDK transaction', () => {
    const pool = poolOf(transaction('a', 0, 1, { kind: 'cosmos' }));
    expect(pool.roomFor(transaction('a', 0, 100), 'pending', 0n).ok).toBe(false);
  });
});

describe('queued transactions', () => {
  test('are ready once the lower nonces are present, up to the next gap', () => {
    const pool = poolOf(transaction('a', 0));
    const [two, three, five] = [transaction('a', 2), transaction('a', 3), transaction('a', 5)];
    for (const one of [five, three, two]) pool.add(one, 'queued');
    expect(pool.ready('a', 1n)).toEqual([]);
    expect(pool.ready('a', 2n)).toEqual([two, three]);
    for (const { hash } of [two, three]) pool.move(hash, 'pending');
    expect([pool.pending, pool.queued]).toEqual([3, 1]);
  });

  test('are limited for each account, and the error names the limit', () => {
    const pool = new TransactionPool(LIMITS);
    for (let nonce = 1; nonce <= 5; nonce += 1) pool.add(transaction('a', nonce), 'queued');
    expect(pool.roomFor(transaction('a', 9), 'queued', 0n)).toEqual({
      ok: false,
      error: { code: 'limit-exceeded', limit: 'mempoolQueuedPerAccount', maximum: 5 },
    });
    expect(pool.roomFor(transaction('b', 9), 'queued', 0n).ok).toBe(true);
  });
});

describe('a full transaction pool', () => {
  const full = (): readonly PoolTransaction[] =>
    Array.from({ length: 100 }, (_, index) => transaction(`s${index}`, 0, 10 + index));

  test('evicts the cheapest transaction for one that pays more', () => {
    const all = full();
    expect(poolOf(...all).roomFor(transaction('new', 0, 50), 'pending', 0n)).toEqual({ ok: true, displaced: [all[0]] });
  });

  test('refuses a transaction that pays no more than the cheapest', () => {
    expect(poolOf(...full()).roomFor(transaction('new', 0, 10), 'pending', 0n)).toMatchObject({
      ok: false,
      error: { code: 'mempool-full' },
    });
  });

  test('evicts queued transactions first', () => {
    const all = full().slice(1);
    const pool = poolOf(...all);
    const queued = transaction('q', 7, 1_000);
    pool.add(queued, 'queued');
    expect(pool.roomFor(transaction('new', 0, 1), 'pending', 0n)).toEqual({ ok: true, displaced: [queued] });
  });

  test("evicts no lower nonce of the new transaction's own sender", () => {
    const pool = poolOf(...full().slice(1), transaction('own', 0, 1));
    expect(pool.roomFor(transaction('own', 1, 1_000), 'pending', 0n)).toMatchObject({
      ok: false,
      error: { code: 'mempool-full' },
    });
  });

  test('evicts the highest nonce of an account, so that no gap arises', () => {
    const pool = poolOf(...full().slice(2), transaction('two', 0, 1), transaction('two', 1, 2));
    const room = pool.roomFor(transaction('new', 0, 50), 'pending', 0n);
    expect(room.ok && room.displaced.map(({ accounts }) => accounts[0])).toEqual([{ address: 'two', nonce: 1n }]);
  });
});

test('the pool refuses a known transaction, but accepts it again after it became invalid', () => {
  const one = transaction('a', 0);
  const pool = poolOf(one);
  expect(pool.refusalOf(one.hash, 2)).toEqual({ code: 'tx-in-cache' });
  pool.remove(one.hash, 'invalid');
  expect(pool.refusalOf(one.hash, 2)).toBeUndefined();
  pool.remove(one.hash, 'committed');
  expect(pool.refusalOf(one.hash, 2)).toEqual({ code: 'tx-in-cache' });
});

test('reaped transactions are in nonce order, fit, and no executable one that pays more was left out', () => {
  const some = fc.array(
    fc.record({
      account: fc.integer({ min: 0, max: 3 }),
      feeCap: fc.integer({ min: 0, max: 20 }),
      gas: fc.integer({ min: 1, max: 30 }),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(some, fc.bigInt({ min: 0n, max: 15n }), fc.bigInt({ min: 0n, max: 200n }), (wanted, baseFee, gas) => {
      const nonces = new Map<number, number>();
      const pool = poolOf(
        ...wanted.map(({ account, feeCap, gas: gasWanted }) => {
          const nonce = nonces.get(account) ?? 0;
          nonces.set(account, nonce + 1);
          return transaction(`account-${account}`, nonce, feeCap, { gasWanted: BigInt(gasWanted) });
        }),
      );
      const left = new Map(pool.entries('pending').map((one) => [one.tx, one]));
      const closed = new Set<string>();
      let used = 0n;
      for (const tx of reaped(pool, baseFee, { bytes: 1_000_000, gas })) {
        const chosen = left.get(tx);
        if (chosen === undefined) throw new Error('a transaction was taken twice');
        // A naive pool: the first remaining transaction of every account, without those that no longer fit.
        const heads = [
          ...new Map([...left.values()].toReversed().map((one) => [one.accounts[0]?.address ?? '', one])).values(),
        ];
        const free = heads.filter(
          (one) => (effectiveTip(one, baseFee) ?? -1n) >= 0n && !closed.has(one.accounts[0]?.address ?? ''),
        );
        expect(free).toContain(chosen);
        for (const better of free.filter(
          (one) => (effectiveTip(one, baseFee) ?? 0n) > (effectiveTip(chosen, baseFee) ?? 0n),
        )) {
          expect(used + better.gasWanted).toBeGreaterThan(gas);
          closed.add(better.accounts[0]?.address ?? '');
        }
        used += chosen.gasWanted;
        left.delete(tx);
      }
      expect(used).toBeLessThanOrEqual(gas);
    }),
  );
});

describe('lookup by alias in the pool', () => {
  test('finds pending and queued transactions until they are removed', () => {
    const [waiting, later] = [transaction('a', 0, 10, { alias: 'E0' }), transaction('a', 5, 10, { alias: 'E5' })];
    const pool = poolOf(waiting);
    pool.add(later, 'queued');
    expect([pool.get('E0'), pool.get(waiting.hash), pool.get('E5'), pool.get('E9')]).toEqual([
      waiting,
      waiting,
      later,
      undefined,
    ]);
    pool.move(later.hash, 'pending');
    pool.remove(waiting.hash, 'committed');
    expect([pool.get('E0'), pool.get('E5')]).toEqual([undefined, later]);
  });

  test('finds the remaining copy after another wrapping of the same transaction was removed', () => {
    const [first, second] = [transaction('a', 0, 10, { alias: 'E' }), transaction('a', 0, 10, { alias: 'E' })];
    const pool = poolOf(first);
    pool.add(second, 'pending');
    pool.remove(first.hash, 'invalid');
    expect(pool.get('E')).toEqual(second);
  });
});

describe('hasPayingTransaction', () => {
  test('equals a full scan of the pending transactions after random changes', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), cap: fc.integer({ min: 1, max: 9 }), queued: fc.boolean() }),
      fc.record({ kind: fc.constant('remove' as const), at: fc.nat(20) }),
      fc.record({ kind: fc.constant('move' as const), at: fc.nat(20) }),
      fc.record({ kind: fc.constant('ask' as const), fee: fc.integer({ min: 0, max: 10 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const pool = new TransactionPool(LIMITS);
        const held = new Map<PoolTransaction, 'pending' | 'queued'>();
        for (const [index, one] of steps.entries()) {
          const [chosen] = one.kind === 'remove' || one.kind === 'move' ? [[...held.keys()][one.at]] : [undefined];
          if (one.kind === 'add') {
            const added = transaction(`sender ${index}`, 0, one.cap);
            held.set(added, one.queued ? 'queued' : 'pending');
            pool.add(added, one.queued ? 'queued' : 'pending');
          } else if (one.kind === 'ask') {
            const fee = BigInt(one.fee);
            const pays = [...held].some(
              ([each, place]) => place === 'pending' && effectiveTip(each, fee) !== undefined,
            );
            expect(pool.hasPayingTransaction(fee)).toBe(pays);
          } else if (chosen !== undefined && one.kind === 'remove') {
            held.delete(chosen);
            pool.remove(chosen.hash, 'invalid');
          } else if (chosen !== undefined) {
            const place = held.get(chosen) === 'pending' ? 'queued' : 'pending';
            held.set(chosen, place);
            pool.move(chosen.hash, place);
          }
        }
      }),
    );
  });

  test('reads the fee cap of each transaction at most once for repeated questions', () => {
    let looks = 0;
    const watched = (address: string): PoolTransaction => ({
      ...transaction(address, 0),
      get feeCap() {
        looks += 1;
        return 5n;
      },
    });
    const pool = poolOf(...Array.from({ length: 50 }, (_, index) => watched(`watched ${index}`)));
    const looksOf = (ask: () => boolean): number => {
      looks = 0;
      for (let asked = 0; asked < 100; asked += 1) expect(ask()).toBe(ask());
      return looks;
    };
    expect(looksOf(() => pool.hasPayingTransaction(9n))).toBeLessThanOrEqual(50);
    pool.add(transaction('too cheap as well', 0, 8), 'pending');
    expect(looksOf(() => pool.hasPayingTransaction(9n))).toBe(0);
    pool.add(transaction('pays', 0, 9), 'pending');
    expect(pool.hasPayingTransaction(9n)).toBe(true);
    expect(looksOf(() => pool.hasPayingTransaction(9n))).toBeLessThanOrEqual(50);
  });
});
