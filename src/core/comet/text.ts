/** Bytes in CometBFT's JSON: hashes and addresses in upper-case hex, all other bytes in base64. */
import { base64Decode } from '@bufbuild/protobuf/wire';
import { bytesOfDigits } from '../bytes/hex.js';
import { invariant } from '../errors.js';
import { toOrderedString } from '../state/ordered.js';

export { compareBytes, equalBytes } from '../state/ordered.js';

/** Bytes converted in one call. btoa is many times faster than an encoder in script. */
const CHUNK = 4_096;
const UPPER = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').toUpperCase());

/**
 * Upper-case hex without prefix, as CometBFT's `HexBytes` (v0.38 `libs/bytes/bytes.go`); empty bytes are an empty
 * string.
 */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += UPPER[byte] ?? '';
  return text;
}

/** Reads hex of any case; throws on other characters or odd length. */
export function fromHex(text: string): Uint8Array {
  const bytes = bytesOfDigits(text);
  invariant(bytes !== undefined, 'hex has an even number of digits and nothing else');
  return bytes;
}

/** Go's `[]byte` in JSON for a slice that is never nil: empty bytes are an empty string. */
export function toBase64(bytes: Uint8Array): string {
  let latin1 = '';
  for (let start = 0; start < bytes.length; start += CHUNK)
    latin1 += toOrderedString(bytes.subarray(start, start + CHUNK));
  return btoa(latin1);
}

/** Go's `[]byte` in JSON: empty bytes are a nil slice, written as null. */
export function toBase64OrNull(bytes: Uint8Array): string | null {
  return bytes.length === 0 ? null : toBase64(bytes);
}

/** Reads base64; null and undefined are empty bytes. Throws on malformed text. */
export function fromBase64(text: string | null | undefined): Uint8Array {
  return text === null || text === undefined ? new Uint8Array() : base64Decode(text);
}
