/** Bytes and the key encodings that SDK stores share (collections of cosmos-sdk 0.53: big-endian numbers, one-byte length prefixes). */
import { be64, readBe64 } from '../state/big-endian.js';
import { concatBytes as concat, equalBytes as equal, prefixEnd } from '../state/ordered.js';

export { be64, concat, equal, prefixEnd, readBe64 };

/** Characters. */
const SHORT = 64;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const EMPTY = new Uint8Array(0);

/** UTF-8. Keys are made of short ASCII names, for which a loop takes a tenth of the encoder's time. */
export function utf8(text: string): Uint8Array {
  if (text.length > SHORT) return encoder.encode(text);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) return encoder.encode(text);
    bytes[at] = code;
  }
  return bytes;
}

export function text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** One-byte length, then the bytes: how keys hold addresses that other parts follow. */
export function lengthPrefixed(bytes: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(bytes.length), bytes);
}

/** Range of all keys that begin with `prefix`. */
export function prefixRange(
  prefix: Uint8Array,
  reverse = false,
): { start: Uint8Array; end?: Uint8Array; reverse: boolean } {
  const end = prefixEnd(prefix);
  return end === undefined ? { start: prefix, reverse } : { start: prefix, end, reverse };
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal. */
export function hex(bytes: Uint8Array): string {
  let out = '';
  for (const byte of bytes) out += HEX[byte] ?? '';
  return out;
}
