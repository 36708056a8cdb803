/** Hexadecimal encodings: lower case, upper case as in CometBFT's JSON, and those of Ethereum JSON-RPC (EIP-1474). */
import { invariant } from '../errors.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { KnownTexts } from './known-text.js';

/** Bytes up to this length are encoded in one shared array, without further allocation. */
const SHORT = 64;
/** Length of addresses, whose texts are cached because they recur often. */
const FREQUENT = 20;
const decoder = new TextDecoder();

/**
 * Creates an encoder with sixteen digits and a prefix. It builds flat strings: concatenated ones would be slow to
 * compare.
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

/** Two lower-case digits per byte. */
export const hex = encoder('0123456789abcdef', '');

/** Two upper-case digits per byte, as in CometBFT's JSON (`libs/bytes/bytes.go`). */
export const upperHex = encoder('0123456789ABCDEF', '');

/** `0x` and two lower-case digits per byte: data in Ethereum JSON-RPC. */
export const hexData = encoder('0123456789abcdef', '0x');

/** `0x` and digits without leading zeros: quantities in Ethereum JSON-RPC. Not for negative numbers. */
export function hexQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** Decodes an even number of digits of either case, without prefix; undefined for other text. */
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

/** Decodes digits that this node wrote; other text breaks an invariant. */
export function fromHex(digits: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOfDigits(digits);
  invariant(bytes !== undefined, 'hex has an even number of digits and nothing else');
  return bytes;
}

/** Value of a hex digit's character code; -1 for other characters. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
