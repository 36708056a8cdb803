/**
 * MUL and KECCAK256, which the engine implements itself instead of revm, and its interpreter loop, which runs
 * instructions in bursts.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../support/property-runs.js';
import { address, asBigInt, crypto, executed, toHex, tx, world } from './support.js';

const AT = address(0xc0de01);
/** Copies the call data to memory. */
const COPY_INPUT = '365f5f37';
const RETURN_WORD = '5f5260205ff3';
/** Counts the input down to zero by one, with nine instructions in each round. */
const COUNT_DOWN = '5f35' + '5b' + '6001900380' + '600257' + '5f5260205ff3';

function run(code: string, data: Uint8Array, gasLimit = 30_000_000n) {
  const at = world();
  at.state.putCode(AT, code);
  return executed(at.engine.call(at.state, tx({ to: AT, data, gasLimit }), { fees: 'none' }, []));
}

describe('MUL', () => {
  const limb = fc.oneof(
    fc.constant(0n),
    fc.constant(1n),
    fc.constant((1n << 64n) - 1n),
    fc.constant(0xffff_ffffn),
    fc.constant(1n << 32n),
    fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  );
  const operand = fc.tuple(limb, limb, limb, limb).map((limbs) => limbs.reduce((sum, one) => (sum << 64n) | one, 0n));

  test('gives the product modulo 2^256, also for limbs at their limits', () => {
    fc.assert(
      fc.property(operand, operand, (a, b) => {
        const data = Uint8Array.from(
          Buffer.from(a.toString(16).padStart(64, '0') + b.toString(16).padStart(64, '0'), 'hex'),
        );
        expect(asBigInt(run('5f35602035' + '02' + RETURN_WORD, data).output)).toBe(BigInt.asUintN(256, a * b));
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('halts with a single operand', () => {
    expect(run('600102', new Uint8Array(0)).status).toBe('halt');
  });
});

describe('KECCAK256', () => {
  test('hashes inputs of lengths around multiples of its 136-byte blocks', () => {
    for (const length of [0, 1, 31, 32, 64, 135, 136, 137, 271, 272, 273, 1_000]) {
      const data = Uint8Array.from({ length }, (_, index) => index * 7 + length);
      expect(toHex(run(`${COPY_INPUT}365f20${RETURN_WORD}`, data).output), `${length} bytes`).toBe(
        toHex(crypto.keccak256(data)),
      );
    }
  });

  test('costs 30 gas, 6 for each word, and the memory expansion', () => {
    const gas = (length: string, offset = '5f'): bigint => run(`${length}${offset}2000`, new Uint8Array(0)).gasUsed;
    const nothing = gas('5f');
    expect(gas('6020') - nothing).toBe(6n + 3n + 1n);
    expect(gas('6021') - nothing).toBe(12n + 6n + 1n);
    expect(gas('5f', '6020') - nothing, 'no bytes, no memory').toBe(1n);
    expect(run('7f' + 'ff'.repeat(32) + '5f20', new Uint8Array(0)).status).toBe('halt');
    expect(run('6001' + '7f' + 'ff'.repeat(32) + '20', new Uint8Array(0)).status).toBe('halt');
  });
});

describe('the interpreter loop', () => {
  const rounds = (count: number): Uint8Array =>
    Uint8Array.from(Buffer.from(count.toString(16).padStart(64, '0'), 'hex'));

  test('charges the same gas for each round, however many bursts it takes', () => {
    const gas = (count: number): bigint => run(COUNT_DOWN, rounds(count)).gasUsed;
    // The bytes of the count cost gas: all of these have two.
    const [base, ...rest] = [300, 1_000, 5_000, 50_000].map((count) => [BigInt(count), gas(count)] as const);
    for (const [count, used] of rest) expect(used - (base?.[1] ?? 0n)).toBe((count - (base?.[0] ?? 0n)) * 26n);
  });

  test('halts at the gas limit, within bursts and between them', () => {
    const enough = run(COUNT_DOWN, rounds(2_000)).gasUsed;
    expect(run(COUNT_DOWN, rounds(2_000), enough).status).toBe('success');
    for (const missing of [1n, 2n, 3n, 10n, 1_000n, 20_000n]) {
      const { status, gasUsed } = run(COUNT_DOWN, rounds(2_000), enough - missing);
      expect({ status, gasUsed }).toEqual({ status: 'halt', gasUsed: enough - missing });
    }
  });
});
