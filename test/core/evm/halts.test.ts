/**
 * Halt reasons as evmd v0.6.0 (go-ethereum v1.16.2 of cosmos, Prague) gives them for the same creations. The
 * text is part of a transaction's response, and so of the hash of a block's results.
 */
import { describe, expect, test } from 'vitest';
import { address, fromHex, toHex, tx, transact, world } from './support.js';

/** Gas of a creation before its code runs (EIP-2, EIP-2028, EIP-3860). */
function intrinsicGas(code: Uint8Array): bigint {
  const zeros = code.filter((byte) => byte === 0).length;
  return BigInt(53_000 + zeros * 4 + (code.length - zeros) * 16 + 2 * Math.ceil(code.length / 32));
}

function reasonOf(code: string, gas: bigint): string | undefined {
  const data = fromHex(code);
  const at = world({ block: { fork: 'prague' } });
  return transact(at, tx({ data, gasLimit: intrinsicGas(data) + gas })).reason;
}

const FULL = '5f'.repeat(1024);
const WORD = `7f${'ff'.repeat(32)}`;
const CALL_COLD = '5f5f5f5f5f61dead5af1';
const CALL_COLD_WITH_WEI = '5f5f5f5f600161dead5af1';
/** Reads the balances of the account and of the caller: 2,705 gas. */
const WARM = '61dead313331';

describe('the halt reason names', () => {
  test.each([
    ['the stack height and the operands of the instruction', '01', 100n, 'stack underflow (0 <=> 2)'],
    ['an underflow before the price', '01', 2n, 'stack underflow (0 <=> 2)'],
    [
      'an underflow of CALL, which pops its operands in two steps',
      '5f5f5f5f5f5ff1',
      40_000n,
      'stack underflow (6 <=> 7)',
    ],
    ['an underflow of CREATE2', '5f5f5ff5', 40_000n, 'stack underflow (3 <=> 4)'],
    ['an underflow of DUP2', '5f81', 100n, 'stack underflow (1 <=> 2)'],
    ['an underflow of SWAP2', '5f5f91', 100n, 'stack underflow (2 <=> 3)'],
    ['an underflow of JUMP', '56', 100n, 'stack underflow (0 <=> 1)'],
    ['an invalid jump target', '600456', 100n, 'invalid jump destination'],
    ['the stack limit', `${FULL}5f`, 2050n, 'stack limit reached 1024 (1023)'],
    ['the stack limit before the price', `${FULL}5f`, 2048n, 'stack limit reached 1024 (1023)'],
    ['the stack limit for DUP1', `${FULL}80`, 3000n, 'stack limit reached 1024 (1023)'],
    ['the price when the stack limit is not reached', `${FULL}5f`, 2047n, 'out of gas'],
    ['an opcode without a name', '0c', 100n, 'invalid opcode: opcode 0xc not defined'],
    ['an opcode of a future fork', '4b', 100n, 'invalid opcode: opcode 0x4b not defined'],
    ['an opcode with a name but no fork', 'd0', 100n, 'invalid opcode: DATALOAD'],
    ['the INVALID opcode', 'fe', 0n, 'invalid opcode: INVALID'],
    ['an opcode of a later fork', '5f1e', 100n, 'invalid opcode: CLZ'],
    ['an opcode of a later fork before its price and the stack', '1e', 0n, 'invalid opcode: CLZ'],
    ['a memory end beyond 64 bits', `${WORD}51`, 1000n, 'gas uint64 overflow'],
    ['the price before a memory end beyond 64 bits', `${WORD}51`, 3n, 'out of gas'],
    ['a memory end beyond 64 bits for LOG0, which has no constant price', `${WORD}5fa0`, 100n, 'gas uint64 overflow'],
    ['a memory size whose gas overflows', '641fffffffe051', 1000n, 'out of gas: gas uint64 overflow'],
    ['a memory size that costs too much', '641fffffffc051', 1000n, 'out of gas'],
    ['a memory size that costs too much for MSTORE', '5f63ffffffff52', 1000n, 'out of gas'],
    ['unaffordable access to a cold account', CALL_COLD, 2614n, 'out of gas: out of gas'],
    ['an underflow of RETURNDATACOPY', '5f5f3e', 100n, 'stack underflow (2 <=> 3)'],
    ['a read beyond the return data', '60015f5f3e', 1000n, 'return data out of bounds'],
    ['the price of a copy of return data', '60015f5f3e', 14n, 'out of gas'],
    ['the price of a creation', '61c0015f5ff0', 100n, 'out of gas'],
    ['init code that is too long', '61c0015f5ff0', 33_000n, 'out of gas: max initcode size exceeded: size 49153'],
    ['a store below the gas stipend', '60015f55', 2305n, 'out of gas: not enough gas for reentrancy sentry'],
  ])('%s', (_, code, gas, reason) => {
    expect(reasonOf(code, gas)).toBe(reason);
  });

  test.each([
    ['the cold account', CALL_COLD, 2614n, 'out of gas: out of gas'],
    ['the delegated account', CALL_COLD, 5214n, 'out of gas: out of gas'],
    ['nothing when the gas covers both', CALL_COLD, 5215n, undefined],
    ['the delegated account before the value transfer', CALL_COLD_WITH_WEI, 5215n, 'out of gas: out of gas'],
    ['the value transfer after both', CALL_COLD_WITH_WEI, 5216n, 'out of gas'],
    ['the account that a warm account delegates to', `${WARM}${CALL_COLD}`, 5419n, 'out of gas: out of gas'],
    ['nothing when the gas covers that', `${WARM}${CALL_COLD}`, 5420n, undefined],
  ])('for a call to a delegating account (EIP-7702): %s', (_, code, gas, reason) => {
    const data = fromHex(code);
    const at = world({ block: { fork: 'prague' } });
    at.state.putCode(address(0xdead), `ef0100${toHex(address(0xbeef))}`);
    expect(transact(at, tx({ data, gasLimit: intrinsicGas(data) + gas })).reason).toBe(reason);
  });

  test('the error of the outermost frame, not of an inner frame that failed', () => {
    // Creates a contract whose code is an invalid opcode, and then jumps to nowhere, or runs out of gas.
    const inner = '600c5f5360015f5ff050';
    expect(reasonOf(`${inner}6004${'56'}`, 100_000n)).toBe('invalid jump destination');
    expect(reasonOf(`${inner}5b600a56`, 100_000n)).toBe('out of gas');
  });
});
