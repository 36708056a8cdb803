/** Text functions of Go's `fmt`, `strings` and `encoding/hex`, for error texts that equal a peer's. */
import { utf8 } from '../../bytes/bytes.js';

const ESCAPES: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};
const [DOUBLE_QUOTE, QUOTE, DEL] = [0x22, 0x27, 0x7f];
const BLANK = /^\p{White_Space}*$/u;

/** True for text that Go's `strings.TrimSpace` empties; JavaScript's `trim` uses another set of characters. */
export const isBlank = (text: string): boolean => BLANK.test(text);

const isSpace = (unit: string | undefined): boolean => unit !== undefined && BLANK.test(unit);

/** Go's `strings.TrimSpace`, in time proportional to the text. */
export function trimSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text[start])) start += 1;
  while (end > start && isSpace(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

/**
 * Formats bytes like `%q`: in quotes, printable ASCII unchanged, all other bytes escaped as if they were not UTF-8.
 */
export function quotedBytes(bytes: Uint8Array): string {
  const units = Array.from(
    bytes,
    (byte) =>
      ESCAPES[byte] ??
      (byte >= 0x20 && byte < DEL ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`),
  );
  return `"${units.join('')}"`;
}

/** Quotes a byte (as a Latin-1 character) like `encoding/json` in its errors. */
export function quotedCharacter(byte: number): string {
  if (byte === QUOTE) return String.raw`'\''`;
  const escaped = byte === DOUBLE_QUOTE ? undefined : ESCAPES[byte];
  if (escaped !== undefined) return `'${escaped}'`;
  if (isPrinted(byte)) return `'${String.fromCharCode(byte)}'`;
  const digits = byte.toString(16).padStart(2, '0');
  return byte > DEL ? `'\\u00${digits}'` : `'\\x${digits}'`;
}

/** Formats bytes like `%v`: a list of numbers. */
export const listedBytes = (bytes: Uint8Array): string => `[${bytes.join(' ')}]`;

/** Go's error for text that is not hex (`encoding/hex` DecodeString), without the package name. */
export function hexProblem(digits: string): string {
  const wrong = utf8(digits).find((byte) => !isHexDigit(byte));
  if (wrong === undefined) return 'odd length hex string';
  const code = wrong.toString(16).toUpperCase().padStart(4, '0');
  return `invalid byte: U+${code}${isPrinted(wrong) ? ` '${String.fromCharCode(wrong)}'` : ''}`;
}

const isHexDigit = (byte: number): boolean => /[0-9a-fA-F]/.test(String.fromCharCode(byte));

/** Go's `unicode.IsPrint` for a Latin-1 byte: not a control character, a space other than ` `, or a soft hyphen. */
const isPrinted = (byte: number): boolean => byte >= 0x20 && (byte < 0x7f || (byte > 0xa0 && byte !== 0xad));
