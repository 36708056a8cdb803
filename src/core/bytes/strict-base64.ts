import { base64 } from '@scure/base';

/** Decodes base64 with its padding and no other signs (RFC 4648, section 4); undefined for another text. */
export function strictBase64(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text);
  } catch {
    return undefined;
  }
}
