import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CheckedPool } from '../../../src/core/mempool/checked-pool.js';
import { TransactionPool } from '../../../src/core/mempool/transaction-pool.js';
import { propertyRuns } from '../../support/property-runs.js';
import { cosmos, ethereum, hashOf, LIMITS, NONCE_LOW, NONCE_WRONG, NonceChain, read, write } from './nonce-chain.js';

function setup() {
  const chain = new NonceChain();
  const checks = chain.createChecks();
  const pool = new TransactionPool(LIMITS);
  const checked = new CheckedPool({ pool, checks, baseFee: () => 0n });
  const settle = (): void => void checked.recheck(Number.POSITIVE_INFINITY);
  const block = (gas = -1n): readonly Uint8Array[] => {
    const txs = checked.reap({ bytes: 1_000_000, gas }).map(({ tx }) => tx);
    chain.commit(txs);
    checked.committed(txs.map(hashOf));
    settle();
    return txs;
  };
  const admit = (tx: Uint8Array) => {
    const admitted = checked.admit(hashOf(tx), tx);
    settle();
    return admitted;
  };
  return { chain, checks, pool, checked, block, admit };
}

describe('the checked pool', () => {
  test('queues transactions behind a nonce gap, and makes them pending when the missing nonce arrives', () => {
    const { admit, pool, block } = setup();
    const txs = [2, 1, 0].map((nonce) => ethereum('a', nonce));
    expect(txs.map((tx) => admit(tx)).map((admitted) => admitted.ok && admitted.value.place)).toEqual([
      'queued',
      'queued',
      'pending',
    ]);
    expect([pool.pending, pool.queued]).toEqual([3, 0]);
    expect(block()).toEqual(txs.toReversed());
  });

  test('keeps a restored SDK transaction while lower nonces wait for recheck, unless a gap remains', () => {
    const { checked, pool } = setup();
    const back = (...txs: readonly Uint8Array[]): void =>
      checked.restore(txs.map((tx) => ({ hash: hashOf(tx), tx, verified: undefined })));
    back(ethereum('a', 2), ethereum('c', 1), ethereum('a', 1));
    back(ethereum('a', 0));
    // The transaction of the other account is checked first; those that wait for nonce 0 are not reached.
    checked.recheck(5);
    expect([checked.settled, pool.pending, pool.queued]).toEqual([false, 1, 3]);
    back(cosmos('a', 3));
    checked.recheck(Number.POSITIVE_INFINITY);
    expect([pool.pending, pool.queued, checked.takeDropped()]).toEqual([4, 1, []]);
    back(cosmos('c', 2));
    checked.recheck(Number.POSITIVE_INFINITY);
    expect([pool.pending, pool.queued, checked.takeDropped().length]).toEqual([4, 1, 1]);
  });

  test('refuses an SDK transaction with a nonce gap in CheckTx', () => {
    const { admit, pool } = setup();
    expect(admit(cosmos('a', 1))).toMatchObject({
      ok: true,
      value: { check: { code: NONCE_WRONG }, transaction: undefined },
    });
    expect(pool.pending + pool.queued).toBe(0);
  });

  test('replaces a transaction and keeps the later nonces of its account', () => {
    const { admit, pool, block } = setup();
    for (const nonce of [0, 1, 2]) admit(ethereum('a', nonce));
    expect(admit(ethereum('a', 1, 10))).toMatchObject({ ok: false, error: { code: 'tx-in-cache' } });
    expect(admit(ethereum('a', 1, 11))).toMatchObject({
      ok: true,
      value: { place: 'pending', displaced: [{ accounts: [{ nonce: 1n }] }] },
    });
    expect(pool.pending).toBe(3);
    expect(block().map((tx) => read(tx).price)).toEqual([10, 11, 10]);
  });

  test('drops later nonces that the sender cannot afford any more after a replacement', () => {
    const { admit, chain, pool, block } = setup();
    chain.balances.set('a', 100);
    for (const nonce of [0, 1]) admit(ethereum('a', nonce, 40));
    expect(admit(ethereum('a', 0, 90))).toMatchObject({ ok: true, value: { check: { code: 0 } } });
    admit(ethereum('b', 0));
    expect(pool.pending).toBe(2);
    expect(block().map((tx) => read(tx).account)).toEqual(['a', 'b']);
  });

  test('refuses a used nonce as too low', () => {
    const { admit, block } = setup();
    admit(ethereum('a', 0));
    block();
    expect(admit(ethereum('a', 0, 99))).toMatchObject({
      ok: true,
      value: { check: { code: NONCE_LOW }, transaction: undefined },
    });
  });

  test('counts one nonce sequence for Ethereum and SDK transactions of an account', () => {
    const { admit, block } = setup();
    for (const tx of [ethereum('a', 0), cosmos('a', 1), ethereum('a', 2), cosmos('a', 3)])
      expect(admit(tx)).toMatchObject({ ok: true, value: { check: { code: 0 } } });
    expect(block()).toHaveLength(4);
  });

  test('makes a queued transaction pending when an SDK transaction fills its nonce gap', () => {
    const { admit, pool, block } = setup();
    admit(ethereum('a', 1));
    expect(admit(cosmos('a', 0))).toMatchObject({ ok: true, value: { check: { code: 0 } } });
    expect([pool.pending, pool.queued]).toEqual([2, 0]);
    expect(block()).toHaveLength(2);
  });
});

test('the checked pool verifies each signature once, at admission or at the first recheck after a restore', () => {
  const { chain, checks, pool } = setup();
  const verifications: unknown[] = [];
  const checked = new CheckedPool({
    pool,
    checks: {
      ...checks,
      checkTx(tx, verified) {
        verifications.push([read(tx).account, verified]);
        return checks.checkTx(tx, verified);
      },
    },
    baseFee: () => 0n,
  });
  const checksAfterBlock = (): readonly unknown[] => {
    chain.commit([]);
    checked.committed([]);
    verifications.length = 0;
    checked.recheck(Number.POSITIVE_INFINITY);
    return [...verifications];
  };
  const [restored, late] = [cosmos('a', 0), cosmos('b', 0)];
  checked.restore([{ hash: hashOf(restored), tx: restored, verified: undefined }]);
  expect(checksAfterBlock()).toEqual([['a', undefined]]);
  checked.admit(hashOf(late), late);
  expect(checksAfterBlock()).toEqual([
    ['a', 'signatures'],
    ['b', 'signatures'],
  ]);
});

test('pending nonces in the checked pool have no gap and every block is valid, for random transactions', () => {
  const accounts = ['a', 'b', 'c'];
  const wanted = fc.record({
    kind: fc.constantFrom('ethereum' as const, 'ethereum' as const, 'cosmos' as const),
    account: fc.constantFrom(...accounts),
    nonce: fc.integer({ min: 0, max: 12 }),
    price: fc.integer({ min: 1, max: 400 }),
  });
  const step = fc.oneof({ weight: 6, arbitrary: wanted }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 10 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const { chain, pool, checked, block, admit } = setup();
      for (const one of steps) {
        if (typeof one === 'number') block(BigInt(one));
        else admit(write(one));
        for (const account of accounts) {
          const next = Number(checked.nextNonce(account));
          const lines = pool.ofAccount(account);
          const pending = lines
            .filter(({ place }) => place === 'pending')
            .map(({ transaction }) => Number(transaction.accounts[0]?.nonce));
          const first = chain.nonces.get(account) ?? 0;
          expect(pending).toEqual(pending.map((_, index) => first + index));
          expect(next).toBe(first + pending.length);
          for (const { transaction } of lines.filter(({ place }) => place === 'queued')) {
            expect(Number(transaction.accounts[0]?.nonce)).toBeGreaterThan(next - 1);
            expect(transaction.kind).toBe('ethereum');
          }
        }
      }
      for (let left = 0; left < 100 && pool.pending > 0; left += 1) block();
      expect(pool.pending).toBe(0);
    }),
  );
});

test('a recheck after a block keeps exactly the transactions that pass CheckTx one after another', () => {
  const accounts = ['a', 'b', 'c'];
  const wanted = fc.record({
    kind: fc.constantFrom('ethereum' as const, 'ethereum' as const, 'cosmos' as const),
    account: fc.constantFrom(...accounts),
    ahead: fc.constantFrom(0, 0, 0, 1),
    price: fc.integer({ min: 20, max: 60 }),
  });
  const turn = fc.record({
    gas: fc.integer({ min: 0, max: 4 }),
    floor: fc.constantFrom(0, 0, 30, 45),
    poorer: fc.constantFrom(...accounts),
    balance: fc.constantFrom(1_000, 150, 60),
  });
  let left = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 5, arbitrary: wanted }, { weight: 1, arbitrary: turn }), { maxLength: 60 }),
      (steps) => {
        const { chain, checks, pool, checked, block, admit } = setup();
        for (const one of steps) {
          if ('price' in one) {
            admit(write({ ...one, nonce: Number(checked.nextNonce(one.account)) + one.ahead }));
            continue;
          }
          chain.floor = one.floor;
          chain.balances.set(one.poorer, one.balance);
          const before = pool.entries('pending');
          const taken = new Set(block(BigInt(one.gas)).map(hashOf));
          const rest = before.filter(({ hash }) => !taken.has(hash));
          const after = new Set(pool.entries('pending').map(({ hash }) => hash));
          checks.reset();
          const passed = rest.filter(({ tx }) => checks.checkTx(tx, 'signatures').code === 0);
          left += rest.length - passed.length;
          expect(rest.filter(({ hash }) => after.has(hash))).toEqual(passed);
          // The check state must again contain the effects of all pending transactions.
          checks.reset();
          for (const { tx } of pool.entries('pending')) expect(checks.checkTx(tx, 'signatures').code).toBe(0);
        }
      },
    ),
    { numRuns: propertyRuns(1_000) },
  );
  expect(left).toBeGreaterThan(50);
});
