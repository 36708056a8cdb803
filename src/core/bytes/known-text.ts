/**
 * Cache of short recurring strings, such as names of events and attributes, or state keys: it returns the same string
 * each time. A lookup is several times faster than creating a string, and the string's hash is already computed.
 */
import { FIXED_LIMITS } from '../limits/limits.js';
import { toOrderedString } from './key-order.js';

/** Cache by hash of the bytes; a new text replaces the previous one with the same hash. */
export class KnownTexts {
  readonly #texts: (string | undefined)[];
  readonly #mask: number;

  /** `size`: number of entries, a power of two. */
  constructor(size: number) {
    this.#texts = Array.from({ length: size });
    this.#mask = size - 1;
  }

  /** String of the bytes from `start` to `end` with one code unit per byte, equal to `toOrderedString`. */
  of(bytes: Uint8Array, start: number, end: number): string {
    let hash = 0;
    for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
    const slot = (hash ^ (hash >>> 15)) & this.#mask;
    const known = this.#texts[slot];
    if (known !== undefined && isTextOf(known, bytes, start, end)) return known;
    const made = toOrderedString(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end));
    this.#texts[slot] = made;
    return made;
  }
}

const ascii = new KnownTexts(FIXED_LIMITS.knownTexts);

/** String of ASCII bytes from `start` to `end`; undefined when there is another byte. */
export function knownText(bytes: Uint8Array, start: number, end: number): string | undefined {
  for (let at = start; at < end; at += 1) if ((bytes[at] ?? 0) > 0x7f) return undefined;
  return ascii.of(bytes, start, end);
}

function isTextOf(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) !== bytes[start + at]) return false;
  return true;
}
