/** Decodes base64 of either alphabet in requests. */
import { readBase64 } from '../../../core/bytes/go-base64.js';

export type ParsedBytes =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly message: string };

/**
 * Reads base64 as grpc-gateway v1.16 `runtime` Bytes does: a refusal names the byte that the URL-safe alphabet does not
 * have.
 */
export function bytesOfText(text: string): ParsedBytes {
  const standard = readBase64(text);
  const read = standard.ok ? standard : readBase64(text, 'url');
  return read.ok ? read : { ok: false, message: read.problem };
}

/**
 * Reads base64 of a JSON body, where Go has the standard alphabet alone: a refusal names the byte that this one does
 * not have.
 */
export function bytesOfJson(text: string): ParsedBytes {
  const standard = readBase64(text);
  if (standard.ok) return standard;
  const read = readBase64(text, 'url');
  return read.ok ? read : { ok: false, message: standard.problem };
}
