import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvmOverride } from '../../../../src/core/evm/state.js';
import type { DevChain } from '../../app/dev-chain.js';
import { addressOf, bytesOf, ethereumChain, GWEI } from '../../app/ethereum-chain.js';

const calls = (dev: DevChain) => {
  const { ethereum } = dev.app;
  if (ethereum === undefined) throw new Error('no EVM');
  return { ethereum, at: { ...dev.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) } };
};
const word = (value: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? value : 0));

describe('eth_estimateGas', () => {
  it('returns enough gas, and at most 1.5 % too much', () => {
    const dev = ethereumChain();
    const { ethereum, at } = calls(dev);
    expect(ethereum.estimateGas(dev.state, at, { from: addressOf(0), to: addressOf(1), value: 1n }, [])).toEqual({
      kind: 'gas',
      gas: 21_000n,
    });
    const to = addressOf(7);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), (slots) => {
        // Writes that many fresh slots.
        const edits = [
          {
            address: to,
            code: bytesOf(
              `0x${Array.from({ length: slots }, (_, slot) => `600160${slot.toString(16).padStart(2, '0')}55`).join('')}`,
            ),
          },
        ];
        const estimate = ethereum.estimateGas(dev.state, at, { from: addressOf(0), to }, edits);
        if (estimate.kind !== 'gas') throw new Error(estimate.kind);
        expect(ethereum.call(dev.state, at, { from: addressOf(0), to, gas: estimate.gas }, edits, {}).kind).toBe(
          'success',
        );
        const exact = 21_000n + BigInt(slots) * 22_106n;
        expect(estimate.gas >= exact && estimate.gas * 1000n <= exact * 1016n).toBe(true);
      }),
      { numRuns: 10 },
    );
  });

  it('within a budget returns the estimate without a budget, or times out', () => {
    const dev = ethereumChain();
    const { ethereum, at } = calls(dev);
    const to = addressOf(7);
    const estimate = (code: string, more: object, budget?: bigint) =>
      ethereum.estimateGas(
        dev.state,
        at,
        { from: addressOf(0), to, ...more },
        [{ address: to, code: bytesOf(code) }],
        {},
        budget,
      );
    // Stores that remain, a store that is undone (its refund hides the necessary limit), a revert.
    const codes = ['0x6001600055600160015500', '0x600160005560006000556000600155', '0x60006000fd'];
    for (const code of codes) {
      for (const more of [{}, { gas: 200_000n }, { gas: 30_000n }, { maxFeePerGas: 2n * GWEI }]) {
        const whole = estimate(code, more);
        for (const budget of [0n, 21_000n, 30_000n, 60_000n, 70_000n, 100_000n, 150_000n, 300_000n, 1_000_000n]) {
          const within = estimate(code, more, budget);
          if (within.kind !== 'timeout') expect(within).toEqual(whole);
        }
        expect(estimate(code, more, 1_000_000n)).toEqual(whole);
        expect(estimate(code, more, 21_000n).kind).toBe('timeout');
      }
    }
  });

  it('takes the optimistic limit from the gas before refunds, as geth does', () => {
    const dev = ethereumChain();
    const { ethereum, at } = calls(dev);
    const to = addressOf(7);
    // Clears its slot: 26,006 of gas, of which 4,800 are given back.
    const edits: EvmOverride[] = [
      { address: to, code: bytesOf('0x60006000550000'), slots: [{ slot: word(0), value: word(1) }] },
    ];
    // The limits that geth v1.17 tries: 28,755, 24,980, 26,867, 25,923, 26,395 and 26,159.
    expect(ethereum.estimateGas(dev.state, at, { from: addressOf(0), to }, edits)).toEqual({
      kind: 'gas',
      gas: 26_159n,
    });
  });

  it('executes code that cannot see its gas no more than twice', () => {
    const dev = ethereumChain();
    const { ethereum, at } = calls(dev);
    const to = addressOf(7);
    // Stores a value, which takes 43,106, and hashes, so that more than the sentry of EIP-2200 follows the store.
    const edits = [{ address: to, code: bytesOf('0x60016000556110006000205000') }];
    const call = { from: addressOf(0), to };
    const whole = ethereum.estimateGas(dev.state, at, call, edits);
    const { gasUsed } = ethereum.call(dev.state, at, call, edits, {}) as { readonly gasUsed: bigint };
    expect(ethereum.estimateGas(dev.state, at, call, edits, {}, 2n * gasUsed)).toEqual(whole);
    expect(ethereum.estimateGas(dev.state, at, call, edits, {}, 2n * gasUsed - 1n).kind).toBe('timeout');
  });

  it('returns the same for code that cannot see its gas, with a budget and without', () => {
    const dev = ethereumChain();
    const { ethereum, at } = calls(dev);
    const to = addressOf(7);
    const byte = (value: number): string => value.toString(16).padStart(2, '0');
    const slot = fc.integer({ min: 0, max: 2 });
    const operation = fc.oneof(
      fc.tuple(slot, slot).map(([value, name]) => `60${byte(value)}60${byte(name)}55`),
      slot.map((name) => `60${byte(name)}5450`),
      fc.integer({ min: 0, max: 255 }).map((size) => `60${byte(size)}5f2050`),
      fc.integer({ min: 0, max: 255 }).map((size) => `60${byte(size)}5fa0`),
    );
    fc.assert(
      fc.property(
        fc.array(operation, { maxLength: 12 }),
        fc.uint8Array({ maxLength: 300 }),
        fc.option(fc.bigInt({ min: 21_000n, max: 120_000n }), { nil: undefined }),
        (operations, data, gas) => {
          const edits = [{ address: to, code: bytesOf(`0x${operations.join('')}00`) }];
          const call = { from: addressOf(0), to, data, gas };
          const whole = ethereum.estimateGas(dev.state, at, call, edits);
          expect(ethereum.estimateGas(dev.state, at, call, edits, {}, 10_000_000n)).toEqual(whole);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is refused when no limit is enough', () => {
    const dev = ethereumChain();
    const { ethereum, at } = calls(dev);
    const to = addressOf(7);
    expect(
      ethereum.estimateGas(dev.state, at, { to, gas: 100_000n }, [{ address: to, code: bytesOf('0x5b600056') }]),
    ).toEqual({ kind: 'refused', message: 'gas required exceeds allowance (100000)' });
    expect(ethereum.estimateGas(dev.state, at, { to }, [{ address: to, code: bytesOf('0x60006000fd') }])).toMatchObject(
      { kind: 'revert' },
    );
    expect(ethereum.estimateGas(dev.state, at, { from: addressOf(9), to, value: 1n, gasPrice: GWEI }, [])).toEqual({
      kind: 'refused',
      message: 'insufficient funds for transfer',
    });
    // nothing is left for gas, as in geth's `eth/gasestimator`
    expect(ethereum.estimateGas(dev.state, at, { from: addressOf(9), to, gasPrice: GWEI }, [])).toEqual({
      kind: 'refused',
      message: 'insufficient funds for transfer',
    });
  });
});
