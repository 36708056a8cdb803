import { createECDH, createHmac, pbkdf2Sync } from 'node:crypto';
import type { KeyCrypto } from '../../core/ports/key-crypto.js';

/** Key cryptography with OpenSSL; keccak, which OpenSSL lacks, is passed in. */
export function createHostKeyCrypto(keccak: Pick<KeyCrypto, 'keccak256'>): KeyCrypto {
  return {
    keccak256: (data) => keccak.keccak256(data),
    hmacSha512: (key, data) => new Uint8Array(createHmac('sha512', key).update(data).digest()),
    pbkdf2Sha512: (password, salt, rounds) => new Uint8Array(pbkdf2Sync(password, salt, rounds, 64, 'sha512')),
    publicPoint(privateKey) {
      const pair = createECDH('secp256k1');
      pair.setPrivateKey(privateKey);
      return new Uint8Array(pair.getPublicKey());
    },
  };
}
