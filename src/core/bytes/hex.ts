/** Hexadecimal forms: lower case, upper case as in CometBFT's JSON, and those of the Ethereum JSON-RPC (EIP-1474). */
import { invariant } from '../errors.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { KnownTexts } from './known-text.js';

/** Bytes whose text is made in a part of one array that is kept: no allocation but the text. */
const SHORT = 64;
/** Addresses and selectors, which come again and again: their texts are kept. */
const FREQUENT = 20;
const decoder = new TextDecoder();

/**
 * Encoder with sixteen digits and a prefix. Texts are made at once: joined byte by byte they would be slow to compare.
 */
function encoder(digits: string, prefix: string): (bytes: Uint8Array) => string {
  const codes = Uint8Array.from({ length: 512 }, (_, at) => digits.charCodeAt(at % 2 === 0 ? at >> 5 : (at >> 1) & 15));
  const start = prefix.length;
  const startOf = (length: number): Uint8Array => {
    const text = new Uint8Array(start + 2 * length);
    for (let at = 0; at < start; at += 1) text[at] = prefix.charCodeAt(at);
    return text;
  };
  const kept = startOf(SHORT);
  const parts = Array.from({ length: SHORT + 1 }, (_, length) => kept.subarray(0, start + 2 * length));
  const known = new KnownTexts(FIXED_LIMITS.knownTexts);
  return (bytes) => {
    const { length } = bytes;
    const text = parts[length] ?? startOf(length);
    for (let index = 0, at = start; index < length; index += 1, at += 2) {
      const code = 2 * (bytes[index] ?? 0);
      text[at] = codes[code] ?? 0;
      text[at + 1] = codes[code + 1] ?? 0;
    }
    return length <= FREQUENT ? known.of(kept, 0, start + 2 * length) : decoder.decode(text);
  };
}

/** Two lower-case digits for each byte. */
export const hex = encoder('0123456789abcdef', '');

/** Two upper-case digits for each byte: hashes and addresses in CometBFT's JSON (`libs/bytes/bytes.go`). */
export const upperHex = encoder('0123456789ABCDEF', '');

/** `0x` and two lower-case digits for each byte: data of the Ethereum JSON-RPC. */
export const hexData = encoder('0123456789abcdef', '0x');

/** `0x0`, or without leading zeros: quantities of the Ethereum JSON-RPC. Not for negative numbers. */
export function hexQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** Bytes of an even number of digits of either case, without prefix; undefined when `digits` is anything else. */
export function bytesOfDigits(digits: string): Uint8Array<ArrayBuffer> | undefined {
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

/** Bytes of digits that this node wrote; any other text is a broken invariant. */
export function fromHex(digits: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOfDigits(digits);
  invariant(bytes !== undefined, 'hex has an even number of digits and nothing else');
  return bytes;
}

/** Value of a hex digit by its character code, -1 for any other character. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
