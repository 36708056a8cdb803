/** The encoder of Node.js, several times faster than a loop for long values. A browser has none. */
const native = (
  globalThis as { readonly Buffer?: { from(of: ArrayBufferLike, at: number, length: number): NativeBytes } }
).Buffer;

interface NativeBytes {
  toString(encoding: 'hex' | 'base64'): string;
}

/** Encodes bytes in lower-case digits or in base64; undefined in a browser. */
export function nativeText(bytes: Uint8Array, encoding: 'hex' | 'base64'): string | undefined {
  return native?.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(encoding);
}
