/** BLOBBASEFEE (EIP-7516) in a block with its fee, and in one that has none. */
import { describe, expect, test } from 'vitest';
import type { EvmBlock } from '../../../src/core/evm/transaction.js';
import { address, asBigInt, BLOCK, fromHex, MapState, toHex, transact, tx, word, world } from './support.js';

const OPCODE = address(0xb10b);
const CALLER = address(0xca11);
/** Stores 1, calls what is in question with all gas, takes no notice of the result, and stores 2. */
const CALLING = `60015f555f5f5f5f5f73${toHex(OPCODE)}5af1506002600155`;

class Ending extends MapState {
  noBlobBaseFee(): void {
    throw new Error('nil');
  }
}

function ending(block: Partial<EvmBlock> = { blobBaseFee: 'none' }) {
  const at = world({ block });
  const state = Object.assign(new Ending(), at.state);
  state.putCode(OPCODE, '4a5f5260205ff3').putCode(CALLER, CALLING);
  return { ...at, state };
}

describe('a block', () => {
  test.each<[Partial<EvmBlock>, bigint]>([
    [{}, 1n],
    [{ blobBaseFee: 0n }, 0n],
    [{ blobBaseFee: 5n }, 5n],
  ])('of %o has the fee %i', (block, fee) => {
    const at = ending(block);
    expect(asBigInt(transact(at, tx({ to: OPCODE })).output)).toBe(fee);
  });

  test('without a fee ends the whole execution with the error of its state', () => {
    const at = ending();
    for (const to of [OPCODE, CALLER]) expect(() => transact(at, tx({ to }))).toThrow('nil');
    expect(() => transact(at, tx({ data: fromHex('4a') }))).toThrow('nil');
    expect(() => at.engine.call(at.state, tx({ to: CALLER }), { fees: 'none' }, [])).toThrow('nil');
    expect(() => at.engine.trace(at.state, tx({ to: CALLER }), { fees: 'none' }, [], '{}')).toThrow('nil');
  });

  test('without a fee leaves nothing of such an execution behind', () => {
    const at = ending();
    expect(() => transact(at, tx({ to: CALLER }))).toThrow('nil');
    at.state.putCode(OPCODE, '00');
    at.engine.clear();
    expect(transact(at, tx({ to: CALLER })).status).toBe('success');
    expect([at.state.slot(CALLER, 0), at.state.slot(CALLER, 1)]).toEqual([1n, 2n]);
  });

  test('gets a fee, and the next one has none again', () => {
    const at = ending();
    at.engine.beginBlock({ ...BLOCK, blobBaseFee: 7n });
    expect(asBigInt(transact(at, tx({ to: OPCODE })).output)).toBe(7n);
    at.engine.beginBlock({ ...BLOCK, blobBaseFee: 'none' });
    expect(() => transact(at, tx({ to: OPCODE, nonce: 1n }))).toThrow('nil');
  });

  test.each([
    ['the fork', 'shanghai', '4a', 'invalid opcode: BLOBBASEFEE'],
    ['the room on the stack', 'prague', `${'5f'.repeat(1024)}4a`, 'stack limit reached 1024 (1023)'],
  ] as const)('looks at %s first', (_, fork, code, reason) => {
    const at = ending({ fork, blobBaseFee: 'none' });
    expect(transact(at, tx({ data: fromHex(code) })).reason).toBe(reason);
  });

  test('looks at the price first', () => {
    const at = ending();
    expect(transact(at, tx({ to: OPCODE, gasLimit: 21_001n })).reason).toBe('out of gas');
    expect(() => transact(at, tx({ to: OPCODE, nonce: 1n, gasLimit: 21_002n }))).toThrow('nil');
  });

  test('ends a call out of a contract of the chain, which goes on with nothing', () => {
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
    const state = Object.assign(new Ending(), at.state);
    state.putCode(OPCODE, '4a').putCode(CALLER, CALLING.replace(toHex(OPCODE), toHex(contract)));
    for (const to of [contract, CALLER]) expect(() => transact({ ...at, state }, tx({ to }))).toThrow('nil');
    expect(wentOn).toBe(false);
  });
});
