/** Contracts that forward a call and store whether it failed, while their own transaction continues. */
import { concat, type Hex, hexToBytes, pad, toHex } from 'viem';

/** How a contract calls another. */
export const KINDS = ['call', 'static call', 'delegate call', 'call code'] as const;
export type Kind = (typeof KINDS)[number];

const INSTRUCTIONS: Readonly<Record<Kind, string>> = {
  call: 'f1',
  'static call': 'fa',
  'delegate call': 'f4',
  'call code': 'f2',
};

/**
 * The input is address, gas, value and the call data to forward. Stores the result in slot 0, and returns it with the
 * return data.
 */
function runtime(kind: Kind): string {
  const takesValue = kind === 'call' || kind === 'call code';
  const copied = '606036038060605f37';
  const called = `5f5f825f${takesValue ? '604035' : ''}5f35602035${INSTRUCTIONS[kind]}`;
  return `${copied}${called}805f555f523d5f60203e3d6020015ff3`;
}

/** Init code of a relay. */
export function relayCode(kind: Kind): Uint8Array {
  const code = runtime(kind);
  return hexToBytes(`0x61${(code.length / 2).toString(16).padStart(4, '0')}80600a5f395ff3${code}`);
}

export function relayed(to: Hex, input: Uint8Array, { gas = 2n ** 63n, value = 0n } = {}): Uint8Array {
  return hexToBytes(concat([pad(to), pad(toHex(gas)), pad(toHex(value)), toHex(input)]));
}

/** Init code that makes the call during creation and stores the result; the code of the contract is empty. */
export function callingConstructor(to: Hex, input: Uint8Array): Uint8Array {
  const length = input.length.toString(16).padStart(4, '0');
  const size = 50;
  const code = `61${length}60${size.toString(16)}5f39`;
  const rest = `5f5f61${length}5f5f73${to.slice(2)}5af15f553d600155`;
  const whole = `${code}${rest}`;
  const stop = '00'.repeat(size - whole.length / 2);
  return Buffer.concat([hexToBytes(`0x${whole}${stop}`), input]);
}
