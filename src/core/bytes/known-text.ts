/**
 * Short texts that come again and again, such as the names of events and attributes, or the keys of the state: the same
 * string each time. It is found in a fraction of the time that a new string needs, and a map that has looked it up once
 * need not hash it again.
 */
import { FIXED_LIMITS } from '../limits/limits.js';
import { toOrderedString } from './key-order.js';

/** Texts by the hash of their bytes; a text gives way to the next one with the same hash. */
export class KnownTexts {
  readonly #texts: (string | undefined)[];
  readonly #mask: number;

  /** `size`: number of texts, a power of two. */
  constructor(size: number) {
    this.#texts = Array.from({ length: size });
    this.#mask = size - 1;
  }

  /** The bytes from `start` to `end` as a string of one code unit a byte, as `toOrderedString` makes it. */
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

/** The text of the ASCII in `bytes` from `start` to `end`; undefined when another byte is among them. */
export function knownText(bytes: Uint8Array, start: number, end: number): string | undefined {
  for (let at = start; at < end; at += 1) if ((bytes[at] ?? 0) > 0x7f) return undefined;
  return ascii.of(bytes, start, end);
}

function isTextOf(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) !== bytes[start + at]) return false;
  return true;
}
