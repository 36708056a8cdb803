/**
 * Base64 decoding like Go (`encoding/base64` of Go 1.24, DecodeString): padding is required, and errors name the byte
 * offset.
 */

export type ReadBase64 =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly problem: string };

/** `standard` is StdEncoding, `url` is URLEncoding. */
export type Base64Alphabet = 'standard' | 'url';

const DIGIT: Readonly<Record<Base64Alphabet, RegExp>> = { standard: /[A-Za-z0-9+/]/, url: /[A-Za-z0-9_-]/ };
const PADDED: Readonly<Record<Base64Alphabet, RegExp>> = {
  standard: /^[A-Za-z0-9+/]*={0,2}$/,
  url: /^[A-Za-z0-9_-]*={0,2}$/,
};
const GROUP = 4;

/** Decodes text; line ends are ignored. */
export function readBase64(text: string, alphabet: Base64Alphabet = 'standard'): ReadBase64 {
  if (text.length % GROUP !== 0 || !PADDED[alphabet].test(text)) {
    const fault = faultIn(text, DIGIT[alphabet]);
    if (fault !== undefined) return { ok: false, problem: `illegal base64 data at input byte ${fault}` };
  }
  const compact = text.replace(/[\r\n]/g, '');
  const latin1 = atob(alphabet === 'url' ? compact.replaceAll('-', '+').replaceAll('_', '/') : compact);
  const value = new Uint8Array(latin1.length);
  for (let at = 0; at < latin1.length; at += 1) value[at] = latin1.charCodeAt(at);
  return { ok: true, value };
}

/** Offset that Go's error names; undefined for valid text. Characters before the error are single bytes. */
function faultIn(text: string, digit: RegExp): number | undefined {
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isLineEnd(character)) continue;
    if (digit.test(character)) digits = (digits + 1) % GROUP;
    else return character === '=' && digits >= 2 ? faultInPadding(text, at, digits) : at;
  }
  return digits === 0 ? undefined : text.length - digits;
}

/** Offset of an error from the first `=` on, which is at `at` after two or three digits of its group. */
function faultInPadding(text: string, at: number, digits: number): number | undefined {
  let next = afterLineEnds(text, at + 1);
  if (digits === 2) {
    if (next === text.length) return next;
    if (text[next] !== '=') return next - 1;
    next = afterLineEnds(text, next + 1);
  }
  return next === text.length ? undefined : next;
}

function afterLineEnds(text: string, start: number): number {
  let at = start;
  while (isLineEnd(text.charAt(at))) at += 1;
  return at;
}

const isLineEnd = (character: string): boolean => character === '\n' || character === '\r';
