/**
 * Text of bytes that need not be UTF-8. Go's texts are bytes, and its protobuf library for the SDK's messages
 * (github.com/cosmos/gogoproto v1.7.2) takes them as they come. A byte outside of UTF-8 becomes one lone surrogate,
 * from U+DC80 to U+DCFF (Python's PEP 383, `surrogateescape`), and that one the same byte again. UTF-8 has no
 * surrogates, so different bytes have different texts.
 */
const encoder = new TextEncoder();

/** Added to a byte it is the surrogate of the byte. */
const ESCAPE = 0xdc00;
/** With this flag a surrogate in a pattern is a lone one. */
const RUNS = /[\udc80-\udcff]+|[^\udc80-\udcff]+/gu;
/** The lowest character of a sequence by its bytes (The Unicode Standard, table 3-7). */
const LOWEST = [0, 0, 0x80, 0x800, 0x10000];
const HIGHEST = 0x10ffff;

/** The text of any bytes; `bytesOfAnyText` gives them back. */
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

/** Bytes of a sequence by its first byte; 0: none begins so. */
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

/** The bytes of a text with lone surrogates; those that stand for no byte become U+FFFD, as encoders make them. */
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
