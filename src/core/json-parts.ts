/**
 * Counts the parts of a JSON text before it is parsed: a few bytes can make an object, and a member with a new name
 * costs a microsecond.
 */
import { DEFAULT_LIMITS } from './limits.js';

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/**
 * True when a JSON text has more objects, arrays and members of objects than `maximum`. For text that is not JSON the
 * result has no meaning.
 */
export function hasMoreJsonParts(text: string, maximum: number = DEFAULT_LIMITS.jsonParts): boolean {
  // every part has at least one character
  if (text.length <= maximum) return false;
  let parts = 0;
  for (let at = 0; at < text.length && parts <= maximum; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON || code === OPEN_ARRAY || code === OPEN_OBJECT) parts += 1;
  }
  return parts > maximum;
}

/** Position of the quote that ends the string which begins at `start`; the end of the text when it is missing. */
export function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
    at = text.indexOf('"', at + 1);
  }
  return text.length;
}
