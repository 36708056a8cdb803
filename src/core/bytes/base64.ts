/** Base64 as in Go's JSON of `[]byte`. */
import { base64Decode } from '@bufbuild/protobuf/wire';
import { toOrderedString } from './key-order.js';

/** Up to this length in bytes `btoa` is faster; it needs a string of the bytes. */
const SHORT = 512;
const LETTERS = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const ascii = new TextDecoder();

/** Encodes bytes; empty bytes give an empty string, like a non-nil Go slice. */
export function toBase64(bytes: Uint8Array): string {
  if (bytes.length <= SHORT) return btoa(toOrderedString(bytes));
  const end = bytes.length - (bytes.length % 3);
  const letters = new Uint8Array((end / 3) * 4);
  for (let from = 0, to = 0; from < end; from += 3, to += 4) {
    const three = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    letters[to] = LETTERS[three >>> 18] ?? 0;
    letters[to + 1] = LETTERS[(three >>> 12) & 63] ?? 0;
    letters[to + 2] = LETTERS[(three >>> 6) & 63] ?? 0;
    letters[to + 3] = LETTERS[three & 63] ?? 0;
  }
  return `${ascii.decode(letters)}${btoa(toOrderedString(bytes.subarray(end)))}`;
}

/** Encodes bytes; empty bytes give null, like a nil Go slice. */
export function toBase64OrNull(bytes: Uint8Array): string | null {
  return bytes.length === 0 ? null : toBase64(bytes);
}

/** Decodes base64; null and undefined give empty bytes. Throws on malformed text. */
export function fromBase64(text: string | null | undefined): Uint8Array {
  return text === null || text === undefined ? new Uint8Array() : base64Decode(text);
}
