/** BLOBBASEFEE (EIP-7516) in blocks with and without a blob base fee. */
import { describe, expect, test } from 'vitest';
import type { EvmBlock } from '../../../src/core/evm/transaction.js';
import { address, asBigInt, BLOCK, fromHex, MapState, toHex, transact, tx, word, world } from './support.js';

const OPCODE = address(0xb10b);
const CALLER = address(0xca11);
/** Stores 1, calls OPCODE with all gas, ignores the result, and stores 2. */
const CALLING = `60015f555f5f5f5f5f73${toHex(OPCODE)}5af1506002600155`;

class AbortingState extends MapState {
  noBlobBaseFee(): void {
    throw new Error('nil');
  }
}

function withoutFee(block: Partial<EvmBlock> = { blobBaseFee: 'none' }) {
  const at = world({ block });
  const state = Object.assign(new AbortingState(), at.state);
  state.putCode(OPCODE, '4a5f5260205ff3').putCode(CALLER, CALLING);
  return { ...at, state };
}

describe('BLOBBASEFEE', () => {
  test.each<[Partial<EvmBlock>, bigint]>([
    [{}, 1n],
    [{ blobBaseFee: 0n }, 0n],
    [{ blobBaseFee: 5n }, 5n],
  ])('in a block of %o returns %i', (block, fee) => {
    const at = withoutFee(block);
    expect(asBigInt(transact(at, tx({ to: OPCODE })).output)).toBe(fee);
  });

  test('in a block without a fee aborts the whole execution with the error of the state', () => {
    const at = withoutFee();
    for (const to of [OPCODE, CALLER]) expect(() => transact(at, tx({ to }))).toThrow('nil');
    expect(() => transact(at, tx({ data: fromHex('4a') }))).toThrow('nil');
    expect(() => at.engine.call(at.state, tx({ to: CALLER }), { fees: 'none' }, [])).toThrow('nil');
    expect(() => at.engine.trace(at.state, tx({ to: CALLER }), { fees: 'none' }, [], '{}')).toThrow('nil');
  });

  test('that aborted an execution leaves no trace in the next one', () => {
    const at = withoutFee();
    expect(() => transact(at, tx({ to: CALLER }))).toThrow('nil');
    at.state.putCode(OPCODE, '00');
    at.engine.clear();
    expect(transact(at, tx({ to: CALLER })).status).toBe('success');
    expect([at.state.slot(CALLER, 0), at.state.slot(CALLER, 1)]).toEqual([1n, 2n]);
  });

  test('returns the fee of one block and aborts in the next one without', () => {
    const at = withoutFee();
    at.engine.beginBlock({ ...BLOCK, blobBaseFee: 7n });
    expect(asBigInt(transact(at, tx({ to: OPCODE })).output)).toBe(7n);
    at.engine.beginBlock({ ...BLOCK, blobBaseFee: 'none' });
    expect(() => transact(at, tx({ to: OPCODE, nonce: 1n }))).toThrow('nil');
  });

  test.each([
    ['the fork', 'shanghai', '4a', 'invalid opcode: BLOBBASEFEE'],
    ['the room on the stack', 'prague', `${'5f'.repeat(1024)}4a`, 'stack limit reached 1024 (1023)'],
  ] as const)('in a block without a fee checks %s first', (_, fork, code, reason) => {
    const at = withoutFee({ fork, blobBaseFee: 'none' });
    expect(transact(at, tx({ data: fromHex(code) })).reason).toBe(reason);
  });

  test('in a block without a fee runs out of gas first', () => {
    const at = withoutFee();
    expect(transact(at, tx({ to: OPCODE, gasLimit: 21_001n })).reason).toBe('out of gas');
    expect(() => transact(at, tx({ to: OPCODE, nonce: 1n, gasLimit: 21_002n }))).toThrow('nil');
  });

  test('in a call made by a precompile aborts the precompile too', () => {
    const contract = address(0x900);
    let wentOn = false;
    const at = world({
      block: { blobBaseFee: 'none' },
      hooks: {
        precompiles: new Map([
          [
            toHex(contract),
            ({ journal, gas }) => {
              journal.call({ caller: contract, to: OPCODE, value: 0n, gas, isStatic: false, data: word(0) });
              wentOn = true;
              return { status: 'success', gasUsed: 0n, output: word(0) };
            },
          ],
        ]),
      },
    });
    const state = Object.assign(new AbortingState(), at.state);
    state.putCode(OPCODE, '4a').putCode(CALLER, CALLING.replace(toHex(OPCODE), toHex(contract)));
    for (const to of [contract, CALLER]) expect(() => transact({ ...at, state }, tx({ to }))).toThrow('nil');
    expect(wentOn).toBe(false);
  });
});
