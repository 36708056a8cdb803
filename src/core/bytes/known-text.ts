/**
 * Short texts that come again and again, such as the names of events and attributes: the same string each time. It is
 * found in a fraction of the time that a new string needs, and a map that has looked it up once need not hash it again.
 */
import { FIXED_LIMITS } from '../limits.js';
import { toOrderedString } from './key-order.js';

const MASK = FIXED_LIMITS.knownTexts - 1;
/** By the hash of its bytes; a text gives way to the next one with the same hash. */
const texts: (string | undefined)[] = Array.from({ length: FIXED_LIMITS.knownTexts });

/** The text of the ASCII in `bytes` from `start` to `end`; undefined when another byte is among them. */
export function knownText(bytes: Uint8Array, start: number, end: number): string | undefined {
  let hash = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte > 0x7f) return undefined;
    hash = Math.imul(hash, 31) + byte;
  }
  const slot = (hash ^ (hash >>> 15)) & MASK;
  const known = texts[slot];
  if (known !== undefined && isTextOf(known, bytes, start, end)) return known;
  const made = toOrderedString(bytes.subarray(start, end));
  texts[slot] = made;
  return made;
}

function isTextOf(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) !== bytes[start + at]) return false;
  return true;
}
