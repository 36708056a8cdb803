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
  const calls = steps.map(({ to, data = '0x', value = 0n, kind = 'call' }) => {
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
  return `${calls.join('')}3d5f5f3e3d5f${end === 'return' ? 'f3' : 'fd'}`;
}
