import { createCipheriv, createDecipheriv, scryptSync } from 'node:crypto';

/**
 * Cost of one passphrase guess: scrypt's N of new files (RFC 7914), with 256 MiB and half a second, as in go-ethereum
 * v1.17 (`accounts/keystore/passphrase.go` StandardScryptN).
 */
export const SCRYPT_N = 2 ** 18;
/** N of the files of earlier builds, which do not say theirs; 32 MiB. */
const EARLIER_N = 2 ** 15;
const BLOCK_SIZE = 8;
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

/** N as a file says it, none for a file of an earlier build; undefined for a cost that no build has written. */
export function scryptNOf(written: string | undefined): number | undefined {
  if (written === undefined) return EARLIER_N;
  return [SCRYPT_N, EARLIER_N].find((cost) => String(cost) === written);
}

/** Cipher of a passphrase. `cost`: scrypt's N. */
export function cipherOf(passphrase: string, salt: Uint8Array, cost: number): Cipher {
  const maxmem = 2 * 128 * cost * BLOCK_SIZE;
  const scrypt = { N: cost, r: BLOCK_SIZE, p: 1, maxmem };
  const key = scryptSync(passphrase.normalize('NFKD'), salt, KEY_BYTES, scrypt);
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
