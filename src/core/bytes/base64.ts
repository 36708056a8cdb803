/** Base64 as in Go's JSON of `[]byte`. */
import { base64Decode } from '@bufbuild/protobuf/wire';
import { toOrderedString } from './key-order.js';
import { nativeText } from './native-text.js';

/** Encodes bytes; empty bytes give an empty string, like a non-nil Go slice. */
export function toBase64(bytes: Uint8Array): string {
  return nativeText(bytes, 'base64') ?? btoa(toOrderedString(bytes));
}

/** Encodes bytes; empty bytes give null, like a nil Go slice. */
export function toBase64OrNull(bytes: Uint8Array): string | null {
  return bytes.length === 0 ? null : toBase64(bytes);
}

/** Decodes base64; null and undefined give empty bytes. Throws on malformed text. */
export function fromBase64(text: string | null | undefined): Uint8Array {
  return text === null || text === undefined ? new Uint8Array() : base64Decode(text);
}
