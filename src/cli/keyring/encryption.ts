import { createCipheriv, createDecipheriv, scryptSync } from 'node:crypto';

/** Cost of one passphrase guess: scrypt with 32 MiB (RFC 7914), about a tenth of a second. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 } as const;
const KEY_BYTES = 32;
const TAG_BYTES = 16;
export const SALT_BYTES = 16;
export const NONCE_BYTES = 12;

/**
 * Encrypts texts with AES-256-GCM: base64 of ciphertext and tag. `name` is authenticated too, so that two encrypted
 * texts cannot be swapped.
 */
export interface Cipher {
  encrypt(text: string, name: string, nonce: Uint8Array): string;
  /** Undefined when the key, the name or the text is not the one that was encrypted. */
  decrypt(sealed: string, name: string, nonce: Uint8Array): string | undefined;
}

/** Cipher of a passphrase. */
export function cipherOf(passphrase: string, salt: Uint8Array): Cipher {
  const key = scryptSync(passphrase.normalize('NFKD'), salt, KEY_BYTES, SCRYPT);
  return {
    encrypt(text, name, nonce) {
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
      return Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
    },
    decrypt(sealed, name, nonce) {
      const bytes = Buffer.from(sealed, 'base64');
      if (bytes.length < TAG_BYTES) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, nonce)
        .setAAD(Buffer.from(name))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
