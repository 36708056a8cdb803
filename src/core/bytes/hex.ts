/** Hexadecimal encodings: lower case, upper case as in CometBFT's JSON, and those of Ethereum JSON-RPC (EIP-1474). */
import { invariant } from '../errors.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { KnownTexts } from './known-text.js';
import { nativeText } from './native-text.js';

/** Bytes up to this length are encoded in one shared array, without further allocation. */
const SHORT = 64;
/** Bytes above this length are encoded by Node.js. */
const LONG = 4_096;
/** Length of addresses, whose texts are cached because they recur often. */
const FREQUENT = 20;
const decoder = new TextDecoder();
const encoder = new TextEncoder();
/** Memory for the ASCII codes of short texts. */
const shortDigits = new Uint8Array(2 * SHORT);
/** Values of the digits by ASCII code; -1 for other bytes. */
const VALUES = Int8Array.from({ length: 256 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);

/**
 * Creates an encoder with sixteen digits and a prefix. It builds flat strings: concatenated ones would be slow to
 * compare.
 */
function encoderWith(digits: string, prefix: string): (bytes: Uint8Array) => string {
  const codes = Uint8Array.from({ length: 512 }, (_, at) => digits.charCodeAt(at % 2 === 0 ? at >> 5 : (at >> 1) & 15));
  const isUpper = digits !== digits.toLowerCase();
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
    const native = length > LONG ? nativeText(bytes, 'hex') : undefined;
    if (native !== undefined) return `${prefix}${isUpper ? native.toUpperCase() : native}`;
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
export const hex = encoderWith('0123456789abcdef', '');

/** Two upper-case digits per byte, as in CometBFT's JSON (`libs/bytes/bytes.go`). */
export const upperHex = encoderWith('0123456789ABCDEF', '');

/** `0x` and two lower-case digits per byte: data in Ethereum JSON-RPC. */
export const hexData = encoderWith('0123456789abcdef', '0x');

/** `0x` and digits without leading zeros: quantities in Ethereum JSON-RPC. Not for negative numbers. */
export function hexQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** Decodes an even number of digits of either case, without prefix; undefined for other text. */
export function bytesOfDigits(digits: string): Uint8Array<ArrayBuffer> | undefined {
  const { length } = digits;
  if (length % 2 !== 0) return undefined;
  const codes = length <= shortDigits.length ? shortDigits : new Uint8Array(length);
  if (encoder.encodeInto(digits, codes).written !== length) return undefined;
  const bytes = new Uint8Array(length / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    const value = ((VALUES[codes[2 * index] ?? 0] ?? -1) << 4) | (VALUES[codes[2 * index + 1] ?? 0] ?? -1);
    if (value < 0) return undefined;
    bytes[index] = value;
  }
  return bytes;
}

/** Decodes digits that this node wrote; other text breaks an invariant. */
export function fromHex(digits: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOfDigits(digits);
  invariant(bytes !== undefined, 'hex has an even number of digits and nothing else');
  return bytes;
}
