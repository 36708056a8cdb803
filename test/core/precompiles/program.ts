/** Programs of the EVM that call contracts. */
import { hexToBytes, type Hex } from 'viem';
import { toHex } from '../app/support.js';

/** `0x` text of bytes. */
export const hexOf = (bytes: Uint8Array): Hex => `0x${toHex(bytes)}`;
/** PUSH32 of a number. */
export const push = (value: bigint): string => `7f${value.toString(16).padStart(64, '0')}`;

/** A call that a program makes. */
export interface Step {
  readonly to: Uint8Array;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly kind?: 'call' | 'static' | 'delegate';
}

/** Code that makes the calls one after the other and ends with the data of the last. */
export function program(steps: readonly Step[], end: 'return' | 'revert'): string {
  return `${calls(steps)}3d5f5f3e3d5f${end === 'return' ? 'f3' : 'fd'}`;
}

/** Code that makes the calls, and then does what the code of another account does with its own storage. */
export function programBefore(steps: readonly Step[], code: Uint8Array): string {
  const before = `${calls(steps)}365f5f375f5f365f73${toHex(code)}5af43d5f5f3e61`;
  const success = before.length / 2 + 6;
  return `${before}${success.toString(16).padStart(4, '0')}573d5ffd5b3d5ff3`;
}

/** The calls one after the other; the code ignores their results. */
function calls(steps: readonly Step[]): string {
  const each = steps.map(({ to, data = '0x', value = 0n, kind = 'call' }) => {
    const bytes = hexToBytes(data);
    const stores = Array.from({ length: Math.ceil(bytes.length / 32) }, (_, index) => {
      const word = new Uint8Array(32);
      word.set(bytes.subarray(index * 32, index * 32 + 32));
      return `${push(BigInt(hexOf(word)))}${push(BigInt(index * 32))}52`;
    });
    const target = push(BigInt(hexOf(to)));
    const sent = kind === 'call' ? push(value) : '';
    const opcode = { call: 'f1', static: 'fa', delegate: 'f4' }[kind];
    return `${stores.join('')}5f5f${push(BigInt(bytes.length))}5f${sent}${target}5a${opcode}50`;
  });
  return each.join('');
}
