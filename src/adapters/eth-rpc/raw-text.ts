/**
 * Finds parts of JSON text by position, for details that parsing loses, such as the digits of a number. The text must
 * be JSON.
 */
import { endOfString } from '../../core/text/json-parts.js';

/** Texts of the elements of an array that is not empty. */
export function elementsOf(text: string): readonly string[] {
  return partsOf(text);
}

/** Text of a member of an object; of several members with this name the last one, as in parsing. */
export function memberText(text: string, name: string): string | undefined {
  let found: string | undefined;
  for (const part of partsOf(text)) {
    const trimmed = part.trimStart();
    const end = endOfString(trimmed, 0);
    if (JSON.parse(trimmed.slice(0, end + 1)) === name) found = trimmed.slice(trimmed.indexOf(':', end) + 1).trim();
  }
  return found;
}

const QUOTE = 0x22;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;

/** The text between the outermost brackets, split at the commas of that level. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let open = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      open += 1;
      if (open === 1) start = at + 1;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      open -= 1;
      if (open === 0) parts.push(text.slice(start, at));
    } else if (code === COMMA && open === 1) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return parts;
}
