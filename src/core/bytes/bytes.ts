import { anyText, bytesOfAnyText } from './any-text.js';

/** Strings up to this length are encoded by a loop, which is faster than TextEncoder. */
const SHORT = 64;
const encoder = new TextEncoder();
/** Keeps a leading U+FEFF as part of the text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const EMPTY = new Uint8Array(0);

/** Joins byte strings. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return concatAll(parts);
}

/** Joins a list of byte strings of any length; as arguments of a call, a long list would exceed the stack. */
export function concatAll(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Compares bytes: negative, zero or positive for before, equal or after. A prefix sorts before its extensions. */
export function compare(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** True for equal bytes. */
export function equal(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) if (left[index] !== right[index]) return false;
  return true;
}

/**
 * Encodes a string as UTF-8, or as the bytes that `text` decoded. Short ASCII names, of which keys are made, are
 * encoded by a loop in a tenth of TextEncoder's time.
 */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  if (text.length > SHORT) return encoded(text);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) return encoded(text);
    bytes[at] = code;
  }
  return bytes;
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return text.isWellFormed() ? encoder.encode(text) : bytesOfAnyText(text);
}

/** Writes `utf8(text)` to `target`, which must have room for three bytes per code unit. */
export function utf8Into(text: string, target: Uint8Array): { readonly written: number } {
  if (text.isWellFormed()) return encoder.encodeInto(text, target);
  const bytes = bytesOfAnyText(text);
  target.set(bytes);
  return { written: bytes.length };
}

/** Decodes UTF-8, or any bytes: `utf8` converts back without loss. */
export function text(bytes: Uint8Array): string {
  const decoded = decoder.decode(bytes);
  return decoded.includes('\ufffd') ? anyText(bytes) : decoded;
}

/** Prepends a length byte: the form of addresses in keys (SDK `types/address` MustLengthPrefix). */
export function lengthPrefixed(bytes: Uint8Array): Uint8Array {
  const prefixed = new Uint8Array(bytes.length + 1);
  prefixed[0] = bytes.length;
  prefixed.set(bytes, 1);
  return prefixed;
}

/** Length of the longest common prefix. */
export function sharedPrefix(left: Uint8Array, right: Uint8Array): number {
  const limit = Math.min(left.length, right.length);
  let length = 0;
  while (length < limit && left[length] === right[length]) length += 1;
  return length;
}
