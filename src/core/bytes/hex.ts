/** Hex forms of the Ethereum JSON-RPC (EIP-1474): data is lower-case with two digits a byte, quantities have no leading zeros. */
import { writeBe64 } from '../state/big-endian.js';

const BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** `0x` and two lower-case digits for each byte. */
export function hexData(bytes: Uint8Array): string {
  let out = '0x';
  for (const byte of bytes) out += BYTE[byte] ?? '';
  return out;
}

/** `0x0`, or without leading zeros. Not for negative numbers. */
export function hexQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** Bytes of an even number of hex digits without prefix; undefined when `digits` is anything else. */
export function bytesOfDigits(digits: string): Uint8Array | undefined {
  const { length } = digits;
  if (length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(length / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    const high = digitOf(digits.charCodeAt(2 * index));
    const low = digitOf(digits.charCodeAt(2 * index + 1));
    if (high < 0 || low < 0) return undefined;
    bytes[index] = high * 16 + low;
  }
  return bytes;
}

/** Value of a hex digit by its character code, -1 for any other character. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** A number below 2^256 as 32 big-endian bytes. */
export function wordOf(value: bigint): Uint8Array {
  const word = new Uint8Array(32);
  // Each takes the lowest 64 bits of what it is given.
  for (let at = 24, rest = value; rest > 0n; at -= 8, rest >>= 64n) writeBe64(word, at, rest);
  return word;
}

/** As many bytes as an ordinary number holds exactly: a bigint is made of a few of those. */
const EXACT_BYTES = 6;

/** Big-endian bytes, a few words of the EVM at most, as a number; no bytes are zero. */
export function bigintOfBytes(bytes: Uint8Array): bigint {
  let end = bytes.length % EXACT_BYTES;
  let value = BigInt(exactNumber(bytes, 0, end));
  for (; end < bytes.length; end += EXACT_BYTES)
    value = (value << 48n) | BigInt(exactNumber(bytes, end, end + EXACT_BYTES));
  return value;
}

function exactNumber(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 256 + (bytes[at] ?? 0);
  return value;
}
