/** Base64 as in Go's JSON of `[]byte`. */
import { base64Decode } from '@bufbuild/protobuf/wire';
import { toOrderedString } from './key-order.js';

/** Bytes per call of `btoa`, which is many times faster than an encoder in JavaScript. */
const CHUNK = 4_096;

/** Encodes bytes; empty bytes give an empty string, like a non-nil Go slice. */
export function toBase64(bytes: Uint8Array): string {
  let latin1 = '';
  for (let start = 0; start < bytes.length; start += CHUNK)
    latin1 += toOrderedString(bytes.subarray(start, start + CHUNK));
  return btoa(latin1);
}

/** Encodes bytes; empty bytes give null, like a nil Go slice. */
export function toBase64OrNull(bytes: Uint8Array): string | null {
  return bytes.length === 0 ? null : toBase64(bytes);
}

/** Decodes base64; null and undefined give empty bytes. Throws on malformed text. */
export function fromBase64(text: string | null | undefined): Uint8Array {
  return text === null || text === undefined ? new Uint8Array() : base64Decode(text);
}
