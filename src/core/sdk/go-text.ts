/** Bytes as Go's `fmt` writes them in the texts of errors, which a peer's log shows. */

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
const DEL = 0x7f;

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

/** `%v`: the numbers of the bytes. */
export const listedBytes = (bytes: Uint8Array): string => `[${bytes.join(' ')}]`;

/** Go's reason for which a text is no hex (`encoding/hex` DecodeString), without the name of the package. */
export function hexProblem(digits: string): string {
  const wrong = /[^0-9a-fA-F]/.exec(digits)?.[0];
  const code = wrong?.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return wrong === undefined ? 'odd length hex string' : `invalid byte: U+${code} '${wrong}'`;
}
