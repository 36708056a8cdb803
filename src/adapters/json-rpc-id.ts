/** Extracts the id of a JSON-RPC message without parsing it. */
import { FIXED_LIMITS } from '../core/limits/limits.js';

/** Matches a member with a scalar value and the following separator (sticky). */
const MEMBER = /\s*("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*"|[-+.\w]+)\s*([,}])/suy;
const QUOTE = '"';
/** Longest scalar that is searched backwards from the end. */
const SCALAR_CHARACTERS = 64;
/** Matches a valid id (JSON-RPC 2.0, section 4). */
const ID = /^(?:"[^]*"|-?\d[-+.\w]*|null)$/u;

/**
 * The id's JSON text, searched among the scalar members at the beginning and at the end, where clients write it.
 * Undefined for a batch, or if it is not found there.
 */
export function idOf(bytes: Buffer): string | undefined {
  const { idSearchBytes } = FIXED_LIMITS;
  const found =
    idAtBeginning(bytes.toString('utf8', 0, idSearchBytes)) ??
    idAtEnd(bytes.toString('utf8', Math.max(0, bytes.length - idSearchBytes)).trimEnd());
  return found !== undefined && found.length <= FIXED_LIMITS.idCharacters && ID.test(found) ? found : undefined;
}

function idAtBeginning(text: string): string | undefined {
  MEMBER.lastIndex = text.length - text.trimStart().length + 1;
  if (text[MEMBER.lastIndex - 1] !== '{') return undefined;
  for (let match = MEMBER.exec(text); match !== null; match = MEMBER.exec(text)) {
    const [, name, value, next] = match;
    if (name === '"id"') return value;
    if (next === '}') return undefined;
  }
  return undefined;
}

/** Searches backwards from the end, which is outside of every string, so that each quote delimits one. */
function idAtEnd(text: string): string | undefined {
  if (!text.endsWith('}')) return undefined;
  let rest = text.slice(0, -1).trimEnd();
  for (;;) {
    const value = rest.endsWith(QUOTE)
      ? lastString(rest)
      : (/[-+.\w]+$/u.exec(rest.slice(-SCALAR_CHARACTERS))?.[0] ?? '');
    if (value === undefined || value === '') return undefined;
    rest = rest.slice(0, -value.length).trimEnd();
    if (!rest.endsWith(':')) return undefined;
    rest = rest.slice(0, -1).trimEnd();
    const name = rest.endsWith(QUOTE) ? lastString(rest) : undefined;
    if (name === undefined) return undefined;
    if (name === '"id"') return value;
    rest = rest.slice(0, -name.length).trimEnd();
    if (!rest.endsWith(',')) return undefined;
    rest = rest.slice(0, -1).trimEnd();
  }
}

/** The string literal at the end of a text; undefined if its opening quote is missing. Runs in linear time. */
function lastString(text: string): string | undefined {
  for (let at = text.lastIndexOf(QUOTE, text.length - 2); at >= 0; at = text.lastIndexOf(QUOTE, at - 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return text.slice(at);
    if (at === 0) return undefined;
  }
  return undefined;
}
