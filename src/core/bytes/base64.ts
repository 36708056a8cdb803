/** Base64: the form of Go's `[]byte` in JSON. */
import { base64Decode } from '@bufbuild/protobuf/wire';
import { toOrderedString } from './key-order.js';

/** Bytes converted in one call. btoa is many times faster than an encoder in script. */
const CHUNK = 4_096;

/** Empty bytes are an empty string, as of a slice that is never nil. */
export function toBase64(bytes: Uint8Array): string {
  let latin1 = '';
  for (let start = 0; start < bytes.length; start += CHUNK)
    latin1 += toOrderedString(bytes.subarray(start, start + CHUNK));
  return btoa(latin1);
}

/** Empty bytes are null, as of a nil slice. */
export function toBase64OrNull(bytes: Uint8Array): string | null {
  return bytes.length === 0 ? null : toBase64(bytes);
}

/** Reads base64; null and undefined are empty bytes. Throws on malformed text. */
export function fromBase64(text: string | null | undefined): Uint8Array {
  return text === null || text === undefined ? new Uint8Array() : base64Decode(text);
}
