/** Texts as Go takes and writes them (`fmt`, `strings`, `encoding/hex`), for the errors that a peer's log shows. */
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

/** Checks for a text that Go's `strings.TrimSpace` leaves empty; JavaScript's `trim` has another list. */
export const isBlank = (text: string): boolean => BLANK.test(text);

const isSpace = (unit: string | undefined): boolean => unit !== undefined && BLANK.test(unit);

/** Go's `strings.TrimSpace`, in time proportional to the text. */
export function trimSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text[start])) start += 1;
  while (end > start && isSpace(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

/** `%q`: in quotes, where printable ASCII stays and every other byte is escaped as if it were no UTF-8. */
export function quotedBytes(bytes: Uint8Array): string {
  const units = Array.from(
    bytes,
    (byte) =>
      ESCAPES[byte] ??
      (byte >= 0x20 && byte < DEL ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`),
  );
  return `"${units.join('')}"`;
}

/** A byte, which stands for a character of Latin-1, in quotes as `encoding/json` names it in its errors. */
export function quotedCharacter(byte: number): string {
  if (byte === QUOTE) return String.raw`'\''`;
  const escaped = byte === DOUBLE_QUOTE ? undefined : ESCAPES[byte];
  if (escaped !== undefined) return `'${escaped}'`;
  if (isPrinted(byte)) return `'${String.fromCharCode(byte)}'`;
  const digits = byte.toString(16).padStart(2, '0');
  return byte > DEL ? `'\\u00${digits}'` : `'\\x${digits}'`;
}

/** `%v`: the numbers of the bytes. */
export const listedBytes = (bytes: Uint8Array): string => `[${bytes.join(' ')}]`;

/** Go's reason for which a text is no hex (`encoding/hex` DecodeString), without the name of the package. */
export function hexProblem(digits: string): string {
  const wrong = utf8(digits).find((byte) => !isHexDigit(byte));
  if (wrong === undefined) return 'odd length hex string';
  const code = wrong.toString(16).toUpperCase().padStart(4, '0');
  return `invalid byte: U+${code}${isPrinted(wrong) ? ` '${String.fromCharCode(wrong)}'` : ''}`;
}

const isHexDigit = (byte: number): boolean => /[0-9a-fA-F]/.test(String.fromCharCode(byte));

/** Go's `unicode.IsPrint` of a byte as Latin-1: no control, no space but the usual one, no soft hyphen. */
const isPrinted = (byte: number): boolean => byte >= 0x20 && (byte < 0x7f || (byte > 0xa0 && byte !== 0xad));
