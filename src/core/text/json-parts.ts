/**
 * Bounds the work of parsing a JSON text before it is parsed: an object takes few bytes, a member with a new name
 * costs a microsecond, and white space produces nothing.
 */
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
} from './json-signs.js';
import { DEFAULT_LIMITS, type Limits } from '../limits/limits.js';

export type JsonBounds = Pick<Limits, 'jsonDepth' | 'jsonParts' | 'jsonValues' | 'jsonSpaceBytes'>;

/**
 * First limit that a JSON text exceeds; undefined when it exceeds none. Meaningless for text that is not JSON. Reads
 * 5 MiB in about 10 ms, and stops at the place where a limit is exceeded.
 */
export function exceededJsonBound(
  text: string,
  { jsonDepth, jsonParts, jsonValues, jsonSpaceBytes }: JsonBounds,
): keyof JsonBounds | undefined {
  let depth = 0;
  let parts = 0;
  let values = 0;
  let space = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        parts += 1;
        if (depth > jsonDepth) return 'jsonDepth';
        if (parts > jsonParts) return 'jsonParts';
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COLON:
        parts += 1;
        if (parts > jsonParts) return 'jsonParts';
        break;
      case COMMA:
        values += 1;
        if (values > jsonValues) return 'jsonValues';
        break;
      case SPACE:
      case TAB:
      case LINE_FEED:
      case RETURN:
        space += 1;
        if (space > jsonSpaceBytes) return 'jsonSpaceBytes';
        break;
      default:
        break;
    }
  }
  return undefined;
}

/** Checks like `exceededJsonBound`, for a text that arrives in pieces of UTF-8. */
export class JsonMeter {
  readonly #bounds: JsonBounds;
  #depth = 0;
  #parts = 0;
  #values = 0;
  #space = 0;
  #inText = false;
  /** True when the last piece ended in a string after an odd number of backslashes. */
  #escaped = false;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  /** First limit exceeded with this piece; undefined when none is. */
  add(bytes: Uint8Array): keyof JsonBounds | undefined {
    const { jsonDepth, jsonParts, jsonValues, jsonSpaceBytes } = this.#bounds;
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#inText) at = this.#endOfText(bytes, at);
      else
        switch (bytes[at] ?? 0) {
          case QUOTE:
            this.#inText = true;
            break;
          case OPEN_ARRAY:
          case OPEN_OBJECT:
            this.#depth += 1;
            this.#parts += 1;
            if (this.#depth > jsonDepth) return 'jsonDepth';
            if (this.#parts > jsonParts) return 'jsonParts';
            break;
          case CLOSE_ARRAY:
          case CLOSE_OBJECT:
            this.#depth -= 1;
            break;
          case COLON:
            this.#parts += 1;
            if (this.#parts > jsonParts) return 'jsonParts';
            break;
          case COMMA:
            this.#values += 1;
            if (this.#values > jsonValues) return 'jsonValues';
            break;
          case SPACE:
          case TAB:
          case LINE_FEED:
          case RETURN:
            this.#space += 1;
            if (this.#space > jsonSpaceBytes) return 'jsonSpaceBytes';
            break;
          default:
            break;
        }
    }
    return undefined;
  }

  /** Position of the next quote, which ends the string unless it is escaped; the end of the piece without one. */
  #endOfText(bytes: Uint8Array, start: number): number {
    const quote = bytes.indexOf(QUOTE, start);
    const end = quote < 0 ? bytes.length : quote;
    let first = end;
    while (first > start && bytes[first - 1] === BACKSLASH) first -= 1;
    const isEscaped = (end - first + (first === start && this.#escaped ? 1 : 0)) % 2 === 1;
    this.#escaped = quote < 0 && isEscaped;
    if (quote >= 0) this.#inText = isEscaped;
    return end;
  }
}

/**
 * True when a JSON text has more objects, arrays and object members than `maximum`. Meaningless for text that is not
 * JSON.
 */
export function hasMoreJsonParts(text: string, maximum: number = DEFAULT_LIMITS.jsonParts): boolean {
  // Each part takes at least one character.
  if (text.length <= maximum) return false;
  const free = { jsonDepth: Infinity, jsonValues: Infinity, jsonSpaceBytes: Infinity };
  return exceededJsonBound(text, { ...free, jsonParts: maximum }) !== undefined;
}

/** Position of the closing quote of the string that begins at `start`; the end of the text when it is missing. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
    at = text.indexOf('"', at + 1);
  }
  return text.length;
}
