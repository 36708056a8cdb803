/** EIPs activated by the EVM parameters: surcharges on instructions, and CLZ before its fork. */
import { describe, expect, test } from 'vitest';
import { surchargesOf } from '../../../src/core/modules/evm/extra-eips.js';
import type { EvmBlock } from '../../../src/core/evm/transaction.js';
import { address, asBigInt, BLOCK, executed, type MapState, tx, world } from './support.js';

const CONTRACT = address(0xca11);

function gasOf(code: string, ...eips: readonly bigint[]): bigint {
  const surcharges = surchargesOf(eips);
  const { engine, state } = world({ block: { fork: 'prague', ...(surcharges && { surcharges }) } });
  return gasIn(engine, state.putCode(CONTRACT, code));
}

function gasIn(engine: ReturnType<typeof world>['engine'], state: MapState): bigint {
  const result = executed(engine.call(state, tx({ to: CONTRACT }), { fees: 'none' }, []));
  expect(result.status).toBe('success');
  return result.gasUsed;
}

// Each instruction with its operands, twice.
const CODES = {
  CREATE: '5f5f5ff0'.repeat(2),
  CREATE2: '60015f5f5ff560025f5f5ff5',
  CALL: '5f5f5f5f5f60045af1'.repeat(2),
  STATICCALL: '5f5f5f5f60045afa'.repeat(2),
  SSTORE: '60015f55'.repeat(2),
  SLOAD: '5f54'.repeat(2),
  BALANCE: '3031'.repeat(2),
  EXTCODEHASH: '303f'.repeat(2),
  SELFBALANCE: '4747',
} as const;

describe('an EIP activated by EVM parameters', () => {
  test.each<[bigint, Readonly<Record<string, bigint>>]>([
    [0n, { CREATE: 288_000n, CREATE2: 288_000n }],
    [1n, { CALL: 900n }],
    [2n, { SSTORE: 500n }],
    [1884n, { SLOAD: 800n, BALANCE: 600n, EXTCODEHASH: 600n }],
    [3855n, {}],
  ])('%s raises the prices of %o', (eip, raised) => {
    for (const [name, code] of Object.entries(CODES))
      expect([name, gasOf(code, eip) - gasOf(code)]).toEqual([name, 2n * (raised[name] ?? 0n)]);
  });

  test('7939 adds CLZ for 5 gas to a fork without it', () => {
    const code = '60011e5f5260205ff3';
    const call = (...eips: readonly bigint[]) => {
      const surcharges = surchargesOf(eips);
      const { engine, state } = world({ block: { fork: 'prague', ...(surcharges && { surcharges }) } });
      return executed(engine.call(state.putCode(CONTRACT, code), tx({ to: CONTRACT }), { fees: 'none' }, []));
    };
    expect(asBigInt(call(7939n).output)).toBe(255n);
    // PUSH1 3, CLZ 5, PUSH0 2, MSTORE 3 and 3 for a word of memory, PUSH1 3, PUSH0 2, RETURN 0.
    expect(call(7939n).gasUsed).toBe(21_000n + 21n);
    expect(call(1884n)).toMatchObject({ status: 'halt', reason: 'invalid opcode: CLZ' });
    expect(call(0n)).toMatchObject({ status: 'halt', reason: 'invalid opcode: CLZ' });
  });

  test('adds its surcharge to those of other EIPs, and only in blocks that activate it', () => {
    const block: EvmBlock = { ...BLOCK, fork: 'prague' };
    const { engine, state } = world({ block });
    state.putCode(CONTRACT, `${CODES.SLOAD}${CODES.CALL}`);
    const before = gasIn(engine, state);
    const surcharges = surchargesOf([1n, 1884n]);
    engine.beginBlock({ ...block, ...(surcharges && { surcharges }) });
    expect(gasIn(engine, state)).toBe(before + 2n * (800n + 900n));
    engine.beginBlock(block);
    expect(gasIn(engine, state)).toBe(before);
  });
});
