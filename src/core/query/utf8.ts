/** Length in bytes of the UTF-8 encoding. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const rune of text) {
    const code = rune.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
