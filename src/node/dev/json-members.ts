/** Finds members of a JSON object as substrings, so that unneeded members are never parsed. */
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LINE_FEED,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  RETURN,
  SPACE,
  TAB,
} from '../../core/text/json-signs.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

const { devStateTurnBytes: TURN_BYTES } = FIXED_LIMITS;

/**
 * Returns the texts of the members of `names`. If a name occurs twice, the last value counts, as in JSON.parse. Text
 * that is not a JSON object gives the members before the first error. The values themselves are not checked: their
 * parser does that.
 */
export async function jsonMembers(
  text: Uint8Array,
  names: readonly string[],
  pause: () => Promise<void>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const members = new Map<string, Uint8Array>();
  const decoder = new TextDecoder();
  let at = afterSpace(text, 0);
  if (text[at] !== OPEN_OBJECT) return members;
  do {
    const start = afterSpace(text, at + 1);
    if (text[start] !== QUOTE) return members;
    const end = endOfText(text, start);
    at = afterSpace(text, end + 1);
    if (text[at] !== COLON) return members;
    const value = at + 1;
    at = await endOfValue(text, value, pause);
    const name = decoder.decode(text.subarray(start + 1, Math.min(end, start + 1 + TURN_BYTES)));
    if (names.includes(name)) members.set(name, text.subarray(value, at));
  } while (text[at] === COMMA);
  return members;
}

function afterSpace(text: Uint8Array, from: number): number {
  let at = from;
  while (text[at] === SPACE || text[at] === TAB || text[at] === LINE_FEED || text[at] === RETURN) at += 1;
  return at;
}

/** Index of the closing quote of the string at `start`; the length of the text if it is missing. */
function endOfText(text: Uint8Array, start: number): number {
  let at = text.indexOf(QUOTE, start + 1);
  while (at >= 0) {
    let first = at;
    while (text[first - 1] === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at;
    at = text.indexOf(QUOTE, at + 1);
  }
  return text.length;
}

/** Index of the comma or brace after a value, or the length of the text. */
async function endOfValue(text: Uint8Array, start: number, pause: () => Promise<void>): Promise<number> {
  let depth = 0;
  let turn = start + TURN_BYTES;
  for (let at = start; at < text.length; at += 1) {
    switch (text[at] ?? 0) {
      case QUOTE:
        at = endOfText(text, at);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        if (depth === 0) return at;
        depth -= 1;
        break;
      case COMMA:
        if (depth === 0) return at;
        break;
      default:
        break;
    }
    if (at < turn) continue;
    turn = at + TURN_BYTES;
    await pause();
  }
  return text.length;
}
