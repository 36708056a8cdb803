/**
 * Lossless strings from bytes that need not be UTF-8. Go strings are bytes, and the SDK's protobuf library
 * (github.com/cosmos/gogoproto v1.7.2) does not validate them. Each invalid byte becomes one lone surrogate from
 * U+DC80 to U+DCFF, and back (Python's PEP 383, `surrogateescape`). UTF-8 has no surrogates, so different bytes give
 * different strings.
 */
const encoder = new TextEncoder();

/** Offset from a byte to its surrogate. */
const ESCAPE = 0xdc00;
/** With the flag `u`, surrogates in a pattern match only lone ones. */
const RUNS = /[\udc80-\udcff]+|[^\udc80-\udcff]+/gu;
/** Lowest code point of a UTF-8 sequence by its length (The Unicode Standard, table 3-7). */
const LOWEST = [0, 0, 0x80, 0x800, 0x10000];
const HIGHEST = 0x10ffff;

/** Converts any bytes to a string; `bytesOfAnyText` converts back. */
export function anyText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const size = sequenceSize(bytes[at] ?? 0);
    const character = characterAt(bytes, at, size);
    text += character === undefined ? String.fromCharCode(ESCAPE + (bytes[at] ?? 0)) : String.fromCodePoint(character);
    at += character === undefined ? 1 : size;
  }
  return text;
}

/** Length of a UTF-8 sequence by its first byte; 0 for an invalid one. */
function sequenceSize(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc0) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf8 ? 4 : 0;
}

function characterAt(bytes: Uint8Array, at: number, size: number): number | undefined {
  const first = bytes[at] ?? 0;
  if (size < 2) return size === 1 ? first : undefined;
  let character = first & (0x7f >> size);
  for (let next = at + 1; next < at + size; next += 1) {
    const byte = bytes[next] ?? 0;
    if ((byte & 0xc0) !== 0x80) return undefined;
    character = (character << 6) | (byte & 0x3f);
  }
  const isSurrogate = character >= 0xd800 && character <= 0xdfff;
  return isSurrogate || character < (LOWEST[size] ?? 0) || character > HIGHEST ? undefined : character;
}

/**
 * Converts a string with lone surrogates to bytes; surrogates that stand for no byte become U+FFFD, as in text
 * encoders.
 */
export function bytesOfAnyText(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (const [run] of text.matchAll(RUNS)) {
    const first = run.codePointAt(0) ?? 0;
    if (first < ESCAPE + 0x80 || first > ESCAPE + 0xff) {
      length += encoder.encodeInto(run, bytes.subarray(length)).written;
      continue;
    }
    for (let at = 0; at < run.length; at += 1, length += 1) bytes[length] = run.charCodeAt(at) - ESCAPE;
  }
  return bytes.slice(0, length);
}
