/**
 * Why an execution halts, as evmd v0.6.0 (go-ethereum v1.16.2 of cosmos, Prague) says it of the same creations: the
 * text is in the response of a transaction, and so in the hash of a block's results.
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
/** Looks at the balances of the account and of the caller: 2,705 of gas. */
const WARM = '61dead313331';

describe('a halt names', () => {
  test.each([
    ['the length of the stack and what the instruction takes', '01', 100n, 'stack underflow (0 <=> 2)'],
    ['an underflow before the price', '01', 2n, 'stack underflow (0 <=> 2)'],
    [
      'an underflow of an instruction that takes its operands in parts',
      '5f5f5f5f5f5ff1',
      40_000n,
      'stack underflow (6 <=> 7)',
    ],
    ['an underflow of CREATE2', '5f5f5ff5', 40_000n, 'stack underflow (3 <=> 4)'],
    ['an underflow of DUP2', '5f81', 100n, 'stack underflow (1 <=> 2)'],
    ['an underflow of SWAP2', '5f5f91', 100n, 'stack underflow (2 <=> 3)'],
    ['a jump that had its operand', '56', 100n, 'stack underflow (0 <=> 1)'],
    ['a target that is none', '600456', 100n, 'invalid jump destination'],
    ['the bound of the stack', `${FULL}5f`, 2050n, 'stack limit reached 1024 (1023)'],
    ['the bound of the stack before the price', `${FULL}5f`, 2048n, 'stack limit reached 1024 (1023)'],
    ['the bound of the stack for DUP1', `${FULL}80`, 3000n, 'stack limit reached 1024 (1023)'],
    ['the price of what is below the bound', `${FULL}5f`, 2047n, 'out of gas'],
    ['an opcode without a name', '0c', 100n, 'invalid opcode: opcode 0xc not defined'],
    ['an opcode of a fork to come', '4b', 100n, 'invalid opcode: opcode 0x4b not defined'],
    ['an opcode that has a name and no fork', 'd0', 100n, 'invalid opcode: DATALOAD'],
    ['the designated invalid one', 'fe', 0n, 'invalid opcode: INVALID'],
    ['an opcode of a later fork', '5f1e', 100n, 'invalid opcode: CLZ'],
    ['an opcode of a later fork before its price and the stack', '1e', 0n, 'invalid opcode: CLZ'],
    ['an end of the memory beyond 64 bits', `${WORD}51`, 1000n, 'gas uint64 overflow'],
    ['the price before that end', `${WORD}51`, 3n, 'out of gas'],
    ['that end for a log, which has no constant price', `${WORD}5fa0`, 100n, 'gas uint64 overflow'],
    ['memory without a price', '641fffffffe051', 1000n, 'out of gas: gas uint64 overflow'],
    ['memory with a price', '641fffffffc051', 1000n, 'out of gas'],
    ['memory with a price for MSTORE', '5f63ffffffff52', 1000n, 'out of gas'],
    ['a cold account that is not paid for', CALL_COLD, 2614n, 'out of gas: out of gas'],
    ['an underflow of RETURNDATACOPY', '5f5f3e', 100n, 'stack underflow (2 <=> 3)'],
    ['return data that is too short', '60015f5f3e', 1000n, 'return data out of bounds'],
    ['the price of a copy of return data', '60015f5f3e', 14n, 'out of gas'],
    ['the price of a creation', '61c0015f5ff0', 100n, 'out of gas'],
    [
      'code of a creation that is too long',
      '61c0015f5ff0',
      33_000n,
      'out of gas: max initcode size exceeded: size 49153',
    ],
    ['a store without gas for it', '60015f55', 2305n, 'out of gas: not enough gas for reentrancy sentry'],
  ])('%s', (_, code, gas, reason) => {
    expect(reasonOf(code, gas)).toBe(reason);
  });

  test.each([
    ['a cold account', CALL_COLD, 2614n, 'out of gas: out of gas'],
    ['what it delegates to', CALL_COLD, 5214n, 'out of gas: out of gas'],
    ['nothing where both are paid for', CALL_COLD, 5215n, undefined],
    ['what it delegates to, before the wei', CALL_COLD_WITH_WEI, 5215n, 'out of gas: out of gas'],
    ['the wei behind both', CALL_COLD_WITH_WEI, 5216n, 'out of gas'],
    ['what a warm account delegates to', `${WARM}${CALL_COLD}`, 5419n, 'out of gas: out of gas'],
    ['nothing where that is paid for', `${WARM}${CALL_COLD}`, 5420n, undefined],
  ])('of a call of an account that delegates (EIP-7702): %s', (_, code, gas, reason) => {
    const data = fromHex(code);
    const at = world({ block: { fork: 'prague' } });
    at.state.putCode(address(0xdead), `ef0100${toHex(address(0xbeef))}`);
    expect(transact(at, tx({ data, gasLimit: intrinsicGas(data) + gas })).reason).toBe(reason);
  });

  test('nothing of a frame inside that failed, when the outermost one ends otherwise', () => {
    // Creates a contract whose code is an invalid opcode, and then jumps to nowhere, or runs out of gas.
    const inner = '600c5f5360015f5ff050';
    expect(reasonOf(`${inner}6004${'56'}`, 100_000n)).toBe('invalid jump destination');
    expect(reasonOf(`${inner}5b600a56`, 100_000n)).toBe('out of gas');
  });
});
