/** Case mapping like Go 1.24 (`strings.ToLower` and `ToUpper`, Unicode 15.0): one code point to one code point. */
import { utf8 } from '../../bytes/bytes.js';

/** Capital letter whose lower case has two code points in JavaScript and one in Go. */
const DOTTED_CAPITAL = 'İ';
const REPLACEMENT = utf8('�');
/** Capital letters added in Unicode 16: Go does not map them; JavaScript does if its Unicode version has them. */
const LATER =
  /[\u{1c89}\u{a7cb}\u{a7cc}\u{a7ce}\u{a7d2}\u{a7d4}\u{a7da}\u{a7dc}\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}]/u;

/**
 * Converts to lower case, letter by letter. In text that is not ASCII, invalid UTF-8 bytes become the replacement
 * character.
 */
export function lowerCase(text: Uint8Array): Uint8Array {
  if (text.every((byte) => byte < 0x80)) return text.map(smallByte);
  // The lower case of a two-byte letter, and an invalid byte, may take three bytes.
  const written = new Uint8Array(text.length * 3);
  let end = 0;
  for (let at = 0; at < text.length;) {
    const length = lengthAt(text, at);
    if (length === 1) written[end++] = smallByte(text[at] ?? 0);
    else {
      const letter = length === 0 ? REPLACEMENT : utf8(small(String.fromCodePoint(pointAt(text, at, length))));
      written.set(letter, end);
      end += letter.length;
    }
    at += Math.max(length, 1);
  }
  return written.subarray(0, end);
}

/** Greek letters with iota subscript, which JavaScript expands, and the distance to their capitals. */
const WITH_IOTA: readonly (readonly [letters: RegExp, distance: number])[] = [
  [/[\u1f80-\u1f87\u1f90-\u1f97\u1fa0-\u1fa7]/, 8],
  [/[\u1fb3\u1fc3\u1ff3]/, 9],
];

/** Converts to upper case like Go: letter by letter, without looking at neighbours. */
export function upperCase(text: string): string {
  return Array.from(text, (letter) => {
    const distance = WITH_IOTA.find(([letters]) => letters.test(letter))?.[1];
    if (distance !== undefined) return String.fromCodePoint((letter.codePointAt(0) ?? 0) + distance);
    const capital = letter.toUpperCase();
    return Array.from(capital).length > 1 || LATER.test(capital) ? letter : capital;
  }).join('');
}

const smallByte = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte);

function small(letter: string): string {
  if (letter === DOTTED_CAPITAL) return 'i';
  return LATER.test(letter) ? letter : letter.toLowerCase();
}

/** Length in bytes of the UTF-8 sequence that starts here; 0 when it is invalid (The Unicode Standard, table 3-7). */
function lengthAt(text: Uint8Array, at: number): number {
  const first = text[at] ?? 0;
  const second = text[at + 1] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  if (first === 0xf4 && second > 0x8f) return 0;
  for (let next = at + 1; next < at + length; next += 1) if (((text[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

function pointAt(text: Uint8Array, at: number, length: number): number {
  let point = (text[at] ?? 0) & (0x7f >> length);
  for (let next = at + 1; next < at + length; next += 1) point = (point << 6) | ((text[next] ?? 0) & 0x3f);
  return point;
}
