/** Decodes base64 in requests. */
import { readBase64 } from '../../../core/bytes/go-base64.js';

export type ParsedBytes =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly message: string };

/**
 * Decodes base64 of either alphabet, like grpc-gateway v1.16 `runtime` Bytes; an error names the first byte outside
 * of the URL-safe alphabet.
 */
export function bytesOfText(text: string): ParsedBytes {
  const standard = readBase64(text);
  const read = standard.ok ? standard : readBase64(text, 'url');
  return read.ok ? read : { ok: false, message: read.problem };
}

/**
 * Decodes standard base64 in a JSON body, like Go; an error names the first byte outside of the standard alphabet.
 */
export function bytesOfJson(text: string): ParsedBytes {
  const standard = readBase64(text);
  if (standard.ok) return standard;
  const read = readBase64(text, 'url');
  return read.ok ? read : { ok: false, message: standard.problem };
}
